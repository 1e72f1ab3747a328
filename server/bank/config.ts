import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isRoutingNumber } from '#contract/bank-numbers.ts'
import { TOP_UP_METHODS, type TopUpMethod } from '#contract/accounts.ts'
import { secretIn } from '#server/platform/secrets/secret-file.ts'
import { NEW_BANKS_ZONE } from '#server/platform/db/database-identity.ts'
import { usualZoneName } from '#server/platform/time-zone.ts'
import { makeFolder } from '#server/platform/process/make-folder.ts'
import { StartError } from '#server/platform/process/start-error.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * The settings from the environment. They are read once, at the start. Only the passphrase of backups is read elsewhere
 * (server/platform/backup).
 */
export type Config = {
  mode: 'sample' | 'live'
  /** The port to listen on; 0 means any free port. */
  port: number
  /** Whether PORT is set. If it is set, the bank does not use another port instead. */
  portFixed: boolean
  /** The addresses of this machine to listen on; null means its loopback addresses. */
  listenHosts: readonly string[] | null
  /**
   * The time for which a stopping bank still serves requests, in milliseconds. Load balancers stop sending requests to it in
   * this time.
   */
  drainMs: number
  /** The absolute path of the data folder. */
  dataDir: string
  /** The address of a PostgreSQL database with the owner role. Null means the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** The address of a standby database for statements and other long reads; null if none exists. */
  replicaUrl: string | null
  /** The secret from which tokens and the serving role's password are derived. */
  secret: string
  /**
   * The secrets before the current one, oldest first. Data made with them stays valid. `withEarlierSecrets` adds the secrets
   * that the database stores.
   */
  earlierSecrets: readonly string[]
  nextSecret: string | null
  /**
   * The time zone in which the days of a new database begin; null if it is not set. An existing database keeps its time zone.
   */
  timeZone: string | null
  /**
   * The routing number by which other banks identify this bank. If it is null, other banks cannot send money to it, and
   * customers have no account details to share.
   */
  routingNumber: string | null
  /** The bank's public address in the form of a browser's Origin header; null means http://localhost:PORT. */
  origin: string | null
  smtpUrl: string | null
  /** The address of the gateway for text messages, and the bearer token for it. */
  smsUrl: string | null
  smsToken: string | null
  /** The people who may move the date of a sample bank forward. */
  sampleDate: 'everybody' | 'operator'
  /**
   * The provider that collects money for the bank, and the methods that it offers. Null if there is no provider; a bank in
   * sample mode needs none.
   */
  rail: {
    url: string
    secret: string
    previousSecret?: string | undefined
    methods: readonly TopUpMethod[]
    timeoutMs: number
  } | null
  /** The feed with the prices of funds and coins; null if there is none. A sample bank generates its own prices. */
  priceFeed: { url: string; token: string | null; timeoutMs: number } | null
  /**
   * An OpenAI-compatible endpoint that interprets a question if the advisor's own rules do not give a certain result; null if
   * there is none. `timeoutMs` is the longest wait for the endpoint, in milliseconds.
   */
  advisor: { url: string; model: string; key: string | null; timeoutMs: number } | null
  /**
   * The places outside the bank that receive a copy of the head of each seal of the ledger. A place is null if it is not set.
   */
  sealHeads: {
    file: string | null
    mail: string | null
    url: { url: string; secret: string; timeoutMs: number } | null
  }
  /**
   * The secret with which the card scheme signs its messages; null if no scheme is connected. `previousCardSchemeSecret` is the
   * old secret while the secret is being changed.
   */
  cardSchemeSecret: string | null
  previousCardSchemeSecret: string | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** Whether a proxy in front of the bank is trusted to report the visitor's address. */
  trustProxy: boolean
  /** The address at which Prometheus reads metrics; null if metrics are off. */
  metrics: { host: string; port: number } | null
  /** The OTLP endpoint for traces, its headers, and the sampled share from 0 to 1; null if traces are off. */
  traces: { endpoint: string; headers: Record<string, string>; ratio: number } | null
}

declare module '#server/platform/deps.ts' {
  interface Core {
    config: Config
  }
}

/** All variables that the bank reads. docs/configuration.md has a row for each variable. */
export const VARIABLES = [
  ['BANK_MODE', 'sample', '`sample` or `live`; a database keeps the mode that it was made with'],
  ['PORT', '3000, or the next free one', 'the port to listen on; 0 takes any free port'],
  [
    'LISTEN_HOST',
    'the loopback addresses',
    'the IP address to listen on, or several with commas; `0.0.0.0` or `::` listens on all addresses of the machine',
  ],
  [
    'DRAIN_SECONDS',
    '5',
    'how many seconds a server still serves requests after SIGTERM, if a load balancer has requested `/readyz` in the last minute; up to 120',
  ],
  ['DATA_DIR', '.data', 'the folder for the embedded database and generated secrets'],
  [
    'DATABASE_URL',
    'embedded PostgreSQL',
    'the address of a PostgreSQL 15 or newer, with the owner as its user, or without a user (docs/operations.md); needed in live mode',
  ],
  [
    'REPLICA_URL',
    'none; DATABASE_URL serves all reads',
    'the address of a standby of that database, which serves statements, downloads, analytics and reports (docs/operations.md)',
  ],
  [
    'BANK_SECRET',
    'generated, kept in DATA_DIR',
    'at least 32 characters, the same on all servers; docs/operations.md (Rotate) describes how to change it; needed in live mode',
  ],
  [
    'BANK_SECRET_PREVIOUS',
    'none',
    'the secret before BANK_SECRET, until `npm run rotate` has finished (docs/operations.md)',
  ],
  ['BANK_SECRET_NEXT', 'none', 'the secret after BANK_SECRET, which another server may already use'],
  [
    'BANK_TIME_ZONE',
    NEW_BANKS_ZONE,
    'the time zone of the bank’s days, as `Europe/Berlin`; a database keeps the zone that it was made with',
  ],
  [
    'BANK_ROUTING_NUMBER',
    'none in live mode: customers have no account details',
    'the nine digits by which other banks reach this one; a sample bank has a number that no real bank has',
  ],
  [
    'PUBLIC_URL',
    'http://localhost:PORT',
    'the address at which customers reach the bank; https, except on localhost; needed in live mode',
  ],
  ['SMTP_URL', 'a mailbox page', 'the mail server, as `smtp://user:password@host:port`; needed in live mode'],
  [
    'SMS_URL',
    'the mailbox page; no texts in live mode',
    'the gateway for text messages, which accepts a POST of `{"to", "text"}`',
  ],
  ['SMS_TOKEN', 'none', 'sent to the gateway as `Authorization: Bearer`'],
  [
    'RAIL_URL',
    'none; no money comes in or goes out',
    'the payment provider of a live bank, which collects money for customers and pays it out (docs/providers.md); https, except on localhost',
  ],
  ['RAIL_SECRET', 'none', 'at least 32 characters, shared with the payment provider; needed with RAIL_URL'],
  ['RAIL_SECRET_PREVIOUS', 'none', 'an older secret that the payment provider may still sign with'],
  [
    'RAIL_METHODS',
    'card,bank,wallet',
    'the ways to add money that the payment provider offers; with `bank` it also pays out',
  ],
  [
    'PRICE_FEED_URL',
    'none; trading is paused',
    'the price feed for funds and coins in live mode (docs/providers.md); https, except on localhost',
  ],
  ['PRICE_FEED_TOKEN', 'none', 'sent to PRICE_FEED_URL as `Authorization: Bearer`'],
  ['CARD_SCHEME_SECRET', 'none', 'at least 32 characters, shared with the card scheme (docs/card-scheme.md)'],
  ['CARD_SCHEME_SECRET_PREVIOUS', 'none', 'an older secret that the card scheme may still sign with'],
  [
    'ADVISOR_URL',
    'none; rules alone interpret questions',
    'an OpenAI-compatible endpoint that helps the advisor to interpret questions (docs/providers.md); https, except on localhost',
  ],
  ['ADVISOR_MODEL', 'none', 'the name of the model at ADVISOR_URL; needed with it'],
  ['ADVISOR_KEY', 'none', 'sent to ADVISOR_URL as `Authorization: Bearer`'],
  [
    'SEAL_FILE',
    'none',
    'a file to which the bank appends the head of each seal of the ledger (docs/operations.md, "Prove the books")',
  ],
  ['SEAL_MAIL', 'none', 'an email address that receives each head; needs SMTP_URL'],
  ['SEAL_URL', 'none', 'an address that receives each head, signed; https, except on localhost'],
  ['SEAL_SECRET', 'none', 'at least 32 characters, shared with the receiver at SEAL_URL; needed with it'],
  ['SAMPLE_DATE', 'everybody', "who can move a sample bank's date forward: `everybody` or `operator`"],
  ['LOG_LEVEL', 'warn in sample mode, info in live mode', LOG_LEVELS.map((level) => `\`${level}\``).join(', ')],
  ['TRUST_PROXY', 'false', '`true` when a proxy in front sets X-Forwarded-For'],
  ['METRICS_PORT', 'none', 'the port on which Prometheus reads `/metrics` (docs/operations.md)'],
  ['METRICS_HOST', '127.0.0.1', 'the address for METRICS_PORT; anyone who can reach it can read the metrics'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none; nothing is traced',
    'the collector of OpenTelemetry traces, for OTLP over HTTP, as `http://localhost:4318`',
  ],
  [
    'OTEL_EXPORTER_OTLP_HEADERS',
    'none',
    'headers for the collector, as `api-key=…`, separated by commas; other characters are percent-encoded (`%20`)',
  ],
  ['OTEL_TRACES_SAMPLER_ARG', '1', 'the fraction of all traces that is sent, from 0 to 1'],
] as const satisfies [name: string, standard: string, meaning: string][]

/**
 * The variables that should not be visible in a list of processes or in the `inspect` output of a container. Each can instead
 * be stored in a file, whose path is in the variable `NAME_FILE`.
 */
export const SECRETS = [
  'BANK_SECRET',
  'BANK_SECRET_PREVIOUS',
  'BANK_SECRET_NEXT',
  'DATABASE_URL',
  'REPLICA_URL',
  'SMTP_URL',
  'SMS_TOKEN',
  'RAIL_SECRET',
  'RAIL_SECRET_PREVIOUS',
  'PRICE_FEED_TOKEN',
  'CARD_SCHEME_SECRET',
  'CARD_SCHEME_SECRET_PREVIOUS',
  'SEAL_SECRET',
  'ADVISOR_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/** An error for a variable that prevents the start. The message is a sentence that names the variable. */
class ConfigError extends StartError {
  override readonly name = 'ConfigError'
}

/**
 * Reads the settings from the environment. An empty value counts as not set. If BANK_SECRET is not set in sample mode, the
 * first start creates a secret and stores it in the data folder. Throws ConfigError, which names the first variable that is
 * wrong or missing.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const settings = withFiles(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== '')),
  )
  const unknown = Object.keys(settings).find((name) => name.startsWith('BANK_') && !(name in environment.shape))
  if (unknown !== undefined)
    throw new ConfigError(`${unknown} is not a variable of Alder's; those that begin with BANK_ are ${OWN_NAMES}.`)
  const inFile = Object.keys(environment.shape).find((name) => settings[`${name}_FILE`] !== undefined)
  if (inFile !== undefined)
    throw new ConfigError(`${inFile}_FILE is not used, because ${inFile} is not a secret: set ${inFile} itself.`)
  const parsedEnvironment = environment.safeParse(settings)
  if (!parsedEnvironment.success) throw new ConfigError(`${parsedEnvironment.error.issues[0]?.message}.`)
  const variables = parsedEnvironment.data
  const mode = variables.BANK_MODE
  if (mode === 'live') {
    for (const name of ['DATABASE_URL', 'BANK_SECRET', 'PUBLIC_URL', 'SMTP_URL'] as const) {
      if (variables[name] === undefined) throw new ConfigError(`${name} must be set when BANK_MODE is live.`)
    }
  }
  if (variables.METRICS_PORT !== undefined && variables.METRICS_PORT !== 0 && variables.METRICS_PORT === variables.PORT)
    throw new ConfigError(`METRICS_PORT and PORT are both ${variables.PORT}; set METRICS_PORT to another one.`)
  if (variables.REPLICA_URL !== undefined && variables.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_URL must be set when REPLICA_URL is: the embedded database has no standby.')
  const dataDir = resolve(variables.DATA_DIR)
  return {
    mode,
    port: variables.PORT ?? 3000,
    portFixed: variables.PORT !== undefined,
    listenHosts: variables.LISTEN_HOST ?? null,
    drainMs: variables.DRAIN_SECONDS * 1_000,
    dataDir,
    databaseUrl: variables.DATABASE_URL ?? null,
    replicaUrl: variables.REPLICA_URL ?? null,
    secret: variables.BANK_SECRET ?? readOrCreateSecret(dataDir),
    earlierSecrets: variables.BANK_SECRET_PREVIOUS === undefined ? [] : [variables.BANK_SECRET_PREVIOUS],
    nextSecret: variables.BANK_SECRET_NEXT ?? null,
    timeZone: variables.BANK_TIME_ZONE ?? null,
    routingNumber: routingNumberIn(variables),
    origin: variables.PUBLIC_URL ?? null,
    smtpUrl: variables.SMTP_URL ?? null,
    smsUrl: variables.SMS_URL ?? null,
    smsToken: variables.SMS_TOKEN ?? null,
    sampleDate: variables.SAMPLE_DATE,
    rail: railIn(variables),
    priceFeed:
      variables.PRICE_FEED_URL === undefined
        ? null
        : {
            url: variables.PRICE_FEED_URL,
            token: variables.PRICE_FEED_TOKEN ?? null,
            timeoutMs: PRICE_FEED_TIMEOUT_MS,
          },
    advisor: advisorIn(variables),
    sealHeads: sealHeadsIn(variables),
    cardSchemeSecret: variables.CARD_SCHEME_SECRET ?? null,
    previousCardSchemeSecret: variables.CARD_SCHEME_SECRET_PREVIOUS ?? null,
    logLevel: variables.LOG_LEVEL ?? (mode === 'live' ? 'info' : 'warn'),
    trustProxy: variables.TRUST_PROXY,
    metrics:
      variables.METRICS_PORT === undefined ? null : { host: variables.METRICS_HOST, port: variables.METRICS_PORT },
    traces:
      variables.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: variables.OTEL_EXPORTER_OTLP_HEADERS,
            ratio: variables.OTEL_TRACES_SAMPLER_ARG,
          },
  }
}

/**
 * Returns the environment, with each secret's file (`NAME_FILE`) replaced by its content. Throws ConfigError if a file is not
 * valid.
 */
function withFiles(settings: Record<string, string | undefined>): Record<string, string | undefined> {
  const completeSettings = { ...settings }
  for (const name of SECRETS) {
    const file = settings[`${name}_FILE`]
    delete completeSettings[`${name}_FILE`]
    if (file === undefined) continue
    if (settings[name] !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set; unset one of them.`)
    completeSettings[name] = contentOf(`${name}_FILE`, file)
  }
  return completeSettings
}

/** Reads a file without the newline at its end, which editors and `echo` add. */
function contentOf(name: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${name} must be a file that can be read: ${(error as Error).message}.`)
  }
  const content = text.replace(/\r?\n$/, '')
  if (content === '') throw new ConfigError(`${name} names a file that is empty: ${file}.`)
  return content
}

/**
 * The routing number of a sample bank. Real routing numbers begin with 00 to 12, 21 to 32, 61 to 72 or 80 (American Bankers
 * Association, Routing Number Policy). A number that begins with 99 therefore belongs to no real bank.
 */
export const SAMPLE_ROUTING_NUMBER = '991234561'
const GIVEN_OUT = /^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/

function routingNumberIn({ BANK_MODE: mode, BANK_ROUTING_NUMBER: number }: z.infer<typeof environment>): string | null {
  if (number === undefined) return mode === 'sample' ? SAMPLE_ROUTING_NUMBER : null
  if (mode === 'live' && !GIVEN_OUT.test(number))
    throw new ConfigError(`BANK_ROUTING_NUMBER must be a number that a bank can have, not "${number}".`)
  return number
}

/** The time limit for a response of the payment provider, in milliseconds. */
const RAIL_TIMEOUT_MS = 10_000
/** The time limit for a response of the price feed, in milliseconds. It is short, because customers wait for the response. */
const PRICE_FEED_TIMEOUT_MS = 3_000

function railIn(variables: z.infer<typeof environment>) {
  const { RAIL_URL: url, RAIL_SECRET: secret, RAIL_METHODS: methods } = variables
  if (url === undefined) return null
  if (secret === undefined) throw new ConfigError('RAIL_SECRET must be set when RAIL_URL is.')
  return {
    url,
    secret,
    previousSecret: variables.RAIL_SECRET_PREVIOUS,
    methods,
    timeoutMs: RAIL_TIMEOUT_MS,
  }
}

/** The time limit for sending the head of a seal, in milliseconds. It is long, because only a job waits. */
const SEAL_TIMEOUT_MS = 10_000

function sealHeadsIn(variables: z.infer<typeof environment>): Config['sealHeads'] {
  const { SEAL_FILE: file, SEAL_MAIL: mail, SEAL_URL: url, SEAL_SECRET: secret } = variables
  if (mail !== undefined && variables.SMTP_URL === undefined)
    throw new ConfigError('SMTP_URL must be set when SEAL_MAIL is.')
  if (url !== undefined && secret === undefined) throw new ConfigError('SEAL_SECRET must be set when SEAL_URL is.')
  return {
    file: file === undefined ? null : resolve(file),
    mail: mail ?? null,
    url: url === undefined || secret === undefined ? null : { url, secret, timeoutMs: SEAL_TIMEOUT_MS },
  }
}

/**
 * The time limit for a complete response of the advisor's model, in milliseconds. It is short, because a customer waits for the
 * response.
 */
const ADVISOR_TIMEOUT_MS = 6_000

function advisorIn({ ADVISOR_URL: url, ADVISOR_MODEL: model, ADVISOR_KEY: key }: z.infer<typeof environment>) {
  if (url === undefined) return null
  if (model === undefined) throw new ConfigError('ADVISOR_MODEL must be set when ADVISOR_URL is.')
  return { url, model, key: key ?? null, timeoutMs: ADVISOR_TIMEOUT_MS }
}

/**
 * Whether the name of a time zone is the name of a place. An offset such as '+02:00' is not suitable: it has no summer time,
 * and PostgreSQL inverts its sign.
 */
function isZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && usualZoneName(name) !== ''
  } catch {
    return false
  }
}

/** Returns an error message that includes the value, for variables that are not secret. */
const messageWithValue = (name: string, rule: string) => ({
  error: ({ input }: { input?: unknown }) => `${name} must be ${rule}, not ${JSON.stringify(input)}`,
})

const address = (name: string, protocol: RegExp, rule: string) =>
  z.url({ protocol, error: `${name} must be ${rule}` }).optional()

const secret = (name: string) => z.string().min(32, `${name} must be at least 32 characters long`).optional()

const bearer = (name: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, `${name} must be letters, digits and signs without spaces`)
    .optional()

/**
 * Whether data sent to this address cannot be read by others on the way: the protocol is HTTPS, or the address is this machine.
 */
const isPrivate = ({ protocol, hostname }: URL) => protocol === 'https:' || hostname === 'localhost'

/**
 * Returns the error in a database address; null if the address is valid. The user must come before the host, because the bank
 * puts its own role there. A user in the parameters after `?` would replace that role with the owner.
 */
function wrongInDatabaseUrl(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return 'must be an address that starts with postgres://'
  if (url.host === '') return 'must name a host; for a socket, as postgres://localhost/alder?host=/run/postgresql'
  if (url.searchParams.has('user') || url.searchParams.has('password'))
    return 'must name the user and the password before the host, and neither after a ?'
  try {
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part)
    return null
  } catch {
    return 'has a % without two hexadecimal digits after it; write a literal % as %25'
  }
}

/**
 * Replaces three values of `sslmode` with `verify-full`. The driver treats them as `verify-full` today but warns that this will
 * change. With `verify-full`, the database must present a certificate for its own host name from a trusted authority.
 */
const withFullTls = (text: string): string =>
  new URL(text).searchParams.get('uselibpqcompat') === 'true'
    ? text
    : text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** Parses headers in OpenTelemetry's format: percent-encoded `name=value,name=value`. Returns null if the format is wrong. */
function headersIn(text: string): Record<string, string> | null {
  try {
    const pairs = partsOf(text).map((part): [string, string] => {
      const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+) *= *([\x21-\x7e]+)$/.exec(part) ?? []
      return [name, decodeURIComponent(value)]
    })
    return pairs.every(([name, value]) => name !== '' && /^[\x20-\x7e]+$/.test(value))
      ? Object.fromEntries(pairs)
      : null
  } catch {
    return null
  }
}
const databaseAddress = (name: string) =>
  z
    .string()
    .superRefine((text, context) => {
      const message = wrongInDatabaseUrl(text)
      if (message !== null) context.addIssue({ code: 'custom', message: `${name} ${message}` })
    })
    .transform(withFullTls)
    .optional()

const partsOf = (text: string) => text.split(',').map((part) => part.trim())

const portNumber = (name: string) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      messageWithValue(name, 'a whole number from 0 to 65535'),
    )
    .transform(Number)
    .optional()

const environment = z.object({
  BANK_MODE: z.enum(['sample', 'live'], messageWithValue('BANK_MODE', '"sample" or "live"')).default('sample'),
  PORT: portNumber('PORT'),
  LISTEN_HOST: z
    .string()
    .refine(
      (text) => partsOf(text).every((part) => isIP(part) !== 0),
      messageWithValue('LISTEN_HOST', 'an IP address of this machine, or several with commas between them'),
    )
    .transform((text) => [...new Set(partsOf(text))])
    .optional(),
  DRAIN_SECONDS: z
    .string()
    .refine(
      (text) => /^\d{1,3}$/.test(text) && Number(text) <= 120,
      messageWithValue('DRAIN_SECONDS', 'a whole number from 0 to 120'),
    )
    .default('5')
    .transform(Number),
  DATA_DIR: z
    .string()
    .refine((path) => !path.includes('\0'), messageWithValue('DATA_DIR', 'the path of a folder'))
    .default('.data'),
  DATABASE_URL: databaseAddress('DATABASE_URL'),
  REPLICA_URL: databaseAddress('REPLICA_URL'),
  BANK_SECRET: secret('BANK_SECRET'),
  BANK_SECRET_PREVIOUS: secret('BANK_SECRET_PREVIOUS'),
  BANK_SECRET_NEXT: secret('BANK_SECRET_NEXT'),
  BANK_TIME_ZONE: z
    .string()
    .refine(isZone, messageWithValue('BANK_TIME_ZONE', 'the name of a time zone, as Europe/Berlin'))
    .optional(),
  BANK_ROUTING_NUMBER: z
    .string()
    .refine(
      (text) => /^\d{9}$/.test(text) && isRoutingNumber(text),
      messageWithValue('BANK_ROUTING_NUMBER', 'nine digits that are a routing number'),
    )
    .optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, ...messageWithValue('PUBLIC_URL', 'an address that starts with https://') })
    .transform((text) => new URL(text))
    .refine(
      ({ pathname, search, hash }) => pathname === '/' && search === '' && hash === '',
      'PUBLIC_URL must end after its host and port',
    )
    .refine(isPrivate, 'PUBLIC_URL must start with https:// unless its host is localhost')
    .transform(({ origin }) => origin)
    .optional(),
  SMTP_URL: address('SMTP_URL', /^smtps?$/, 'an address that starts with smtp:// or smtps://'),
  SMS_URL: address('SMS_URL', /^https?$/, 'an address that starts with https:// or http://'),
  SMS_TOKEN: bearer('SMS_TOKEN'),
  SAMPLE_DATE: z
    .enum(['everybody', 'operator'], messageWithValue('SAMPLE_DATE', '"everybody" or "operator"'))
    .default('everybody'),
  RAIL_URL: z
    .url({ protocol: /^https?$/, error: 'RAIL_URL must be an address that starts with https://' })
    .transform((text) => new URL(text))
    .refine(isPrivate, 'RAIL_URL must start with https:// unless its host is localhost')
    .transform(({ href }) => href.replace(/\/$/, ''))
    .optional(),
  RAIL_SECRET: secret('RAIL_SECRET'),
  RAIL_SECRET_PREVIOUS: secret('RAIL_SECRET_PREVIOUS'),
  RAIL_METHODS: z
    .string()
    .default(TOP_UP_METHODS.join(','))
    .refine(
      (text) => partsOf(text).every((part) => (TOP_UP_METHODS as readonly string[]).includes(part)),
      messageWithValue('RAIL_METHODS', `some of ${TOP_UP_METHODS.join(', ')}`),
    )
    .transform((text) => partsOf(text) as TopUpMethod[]),
  PRICE_FEED_URL: z
    .url({ protocol: /^https?$/, error: 'PRICE_FEED_URL must be an address that starts with https://' })
    .transform((text) => new URL(text))
    .refine(isPrivate, 'PRICE_FEED_URL must start with https:// unless its host is localhost')
    .transform(({ href }) => href)
    .optional(),
  PRICE_FEED_TOKEN: bearer('PRICE_FEED_TOKEN'),
  ADVISOR_URL: z
    .url({ protocol: /^https?$/, error: 'ADVISOR_URL must be an address that starts with https://' })
    .transform((text) => new URL(text))
    .refine(isPrivate, 'ADVISOR_URL must start with https:// unless its host is localhost')
    .transform(({ href }) => href.replace(/\/$/, ''))
    .optional(),
  ADVISOR_MODEL: z.string().max(200).optional(),
  ADVISOR_KEY: bearer('ADVISOR_KEY'),
  SEAL_FILE: z
    .string()
    .refine((path) => !path.includes('\0'), messageWithValue('SEAL_FILE', 'the path of a file'))
    .optional(),
  SEAL_MAIL: z
    .email(messageWithValue('SEAL_MAIL', 'an email address'))
    .transform((text) => text.toLowerCase())
    .optional(),
  SEAL_URL: z
    .url({ protocol: /^https?$/, error: 'SEAL_URL must be an address that starts with https://' })
    .transform((text) => new URL(text))
    .refine(isPrivate, 'SEAL_URL must start with https:// unless its host is localhost')
    .transform(({ href }) => href)
    .optional(),
  SEAL_SECRET: z.string().min(32, 'SEAL_SECRET must be at least 32 characters long').optional(),
  CARD_SCHEME_SECRET: secret('CARD_SCHEME_SECRET'),
  CARD_SCHEME_SECRET_PREVIOUS: secret('CARD_SCHEME_SECRET_PREVIOUS'),
  LOG_LEVEL: z.enum(LOG_LEVELS, messageWithValue('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`)).optional(),
  TRUST_PROXY: z
    .enum(['true', 'false'], messageWithValue('TRUST_PROXY', '"true" or "false"'))
    .default('false')
    .transform((text) => text === 'true'),
  METRICS_PORT: portNumber('METRICS_PORT'),
  METRICS_HOST: z
    .string()
    .refine(
      (text) => isIP(text) !== 0 || text === 'localhost',
      messageWithValue('METRICS_HOST', 'an IP address of this machine'),
    )
    .default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({
      protocol: /^https?$/,
      error: 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that starts with http:// or https://',
    })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((text, context) => {
      const headers = text === '' ? {} : headersIn(text)
      if (headers) return headers
      context.addIssue({
        code: 'custom',
        message: 'OTEL_EXPORTER_OTLP_HEADERS must be headers as name=value with commas between them',
      })
      return z.NEVER
    }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine(
      (text) => /^(0|1|0?\.\d+|1\.0+)$/.test(text),
      messageWithValue('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1'),
    )
    .default('1')
    .transform(Number),
})

/**
 * The bank's own variable names as a list for a message. Other programs do not use the prefix BANK_, so an unknown name with
 * this prefix is a spelling error.
 */
const OWN_NAMES = new Intl.ListFormat('en').format(
  Object.keys(environment.shape).filter((name) => name.startsWith('BANK_')),
)

function readOrCreateSecret(dataDir: string): string {
  try {
    makeFolder(dataDir, 0o711)
    return secretIn(join(dataDir, 'secret'))
  } catch (error) {
    throw new ConfigError(`DATA_DIR must be a folder that can be written: ${(error as Error).message}.`)
  }
}
