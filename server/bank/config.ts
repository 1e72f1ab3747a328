import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isRoutingNumber } from '#contract/bank-numbers.ts'
import { TOP_UP_METHODS, type TopUpMethod } from '#contract/accounts.ts'
import { secretIn } from '#server/platform/secrets/secret-file.ts'
import { NEW_BANKS_ZONE } from '#server/platform/db/record.ts'
import { zoneNamed } from '#server/platform/time-zone.ts'
import { makeFolder } from '#server/platform/process/make-folder.ts'
import { StartError } from '#server/platform/process/start-error.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What the environment decides. Read once, at the start; nothing else looks at process.env. */
export type Config = {
  mode: 'sample' | 'live'
  /** 0 means any free port. */
  port: number
  /** Whether PORT was set: a port that was asked for is not swapped for another. */
  portFixed: boolean
  /** The addresses of this machine to listen on; null means its loopback addresses. */
  listenHosts: readonly string[] | null
  /** How long a bank that is told to stop goes on serving, so that balancers send no more requests to it. */
  drainMs: number
  /** Absolute. */
  dataDir: string
  /** The owner's address of a PostgreSQL; null means the one in `dataDir`. */
  databaseUrl: string | null
  /** The address of a standby that statements and the like are read from; null where there is none. */
  replicaUrl: string | null
  /** What tokens and the serving role's password are derived from. */
  secret: string
  /** Those before it, and the one after it, while it changes; those that the database keeps of before come first. */
  earlierSecrets: readonly string[]
  nextSecret: string | null
  /** The zone of a new database's days; null where nobody says. One that is there keeps its own. */
  timeZone: string | null
  /** Under which other banks reach this one; null where they cannot, and customers have no account details to share. */
  routingNumber: string | null
  /** Where people reach the bank, as a browser's Origin header says it; null means http://localhost:PORT. */
  origin: string | null
  smtpUrl: string | null
  /** Where text messages are handed over, and the bearer token for it. */
  smsUrl: string | null
  smsToken: string | null
  /** Who may put the date of a sample bank forward. */
  sampleDate: 'everybody' | 'operator'
  /** The provider that collects money for the bank, and its methods; null where there is none. Sample mode needs none. */
  rail: {
    url: string
    secret: string
    previousSecret?: string | undefined
    methods: readonly TopUpMethod[]
    timeoutMs: number
  } | null
  /** Who publishes the prices of funds and coins; null where nobody does. A sample bank makes its own. */
  priceFeed: { url: string; token: string | null; timeoutMs: number } | null
  /**
   * An OpenAI-compatible endpoint that says what the advisor is asked where its rules are not certain; null where there is
   * none. `timeoutMs` is how long it may take.
   */
  advisor: { url: string; model: string; key: string | null; timeoutMs: number } | null
  /** Where the heads of the ledger's seals are sent, so that they are kept by somebody else too; null where they are not. */
  sealHeads: {
    file: string | null
    mail: string | null
    url: { url: string; secret: string; timeoutMs: number } | null
  }
  /** What the card scheme signs its messages with; null where none is connected. `previous`: while it changes. */
  cardSchemeSecret: string | null
  previousCardSchemeSecret: string | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** Whether a proxy in front of the bank is believed about a visitor's address. */
  trustProxy: boolean
  /** Where Prometheus reads metrics; null where nobody does. */
  metrics: { host: string; port: number } | null
  /** Where traces are sent by OTLP, with which headers, and which part of them; null where they are not made. */
  traces: { endpoint: string; headers: Record<string, string>; ratio: number } | null
}

declare module '#server/platform/deps.ts' {
  interface Core {
    config: Config
  }
}

/** Every variable the bank reads. The README's table is made of these lines. */
export const VARIABLES = [
  ['BANK_MODE', 'sample', '`sample` or `live`; the database keeps the one it was made with'],
  ['PORT', '3000, or the next free one', 'the port to listen on; 0 for any free one'],
  [
    'LISTEN_HOST',
    'the loopback addresses',
    'the IP address to listen on, or several with commas; `0.0.0.0` or `::` for all of the machine’s',
  ],
  [
    'DRAIN_SECONDS',
    '5',
    'the seconds for which a server goes on serving after SIGTERM, if a balancer has asked `/readyz` in the last minute; up to 120',
  ],
  ['DATA_DIR', '.data', 'the folder for the embedded database and generated secrets'],
  [
    'DATABASE_URL',
    'embedded PostgreSQL',
    'the address of a PostgreSQL 15 or newer, as its owner, or without a user (docs/operations.md); needed in live mode',
  ],
  [
    'REPLICA_URL',
    'none; all is read from DATABASE_URL',
    'the address of a standby of that database, from which statements, downloads, analytics and reports are read (docs/operations.md)',
  ],
  [
    'BANK_SECRET',
    'generated, kept in DATA_DIR',
    'at least 32 characters, the same on all servers; changed as docs/operations.md says (Rotate); needed in live mode',
  ],
  ['BANK_SECRET_PREVIOUS', 'none', 'the one before BANK_SECRET, until `npm run rotate` is done (docs/operations.md)'],
  ['BANK_SECRET_NEXT', 'none', 'the one to come, which another server may have already'],
  [
    'BANK_TIME_ZONE',
    NEW_BANKS_ZONE,
    'the zone whose days are the bank’s, as `Europe/Berlin`; the database keeps the one it was made with',
  ],
  [
    'BANK_ROUTING_NUMBER',
    'none in live mode: customers have no account details',
    'the nine digits under which other banks reach this one; a sample bank has one that no bank has',
  ],
  [
    'PUBLIC_URL',
    'http://localhost:PORT',
    'where people reach the bank; https, except on localhost; needed in live mode',
  ],
  ['SMTP_URL', 'a mailbox page', 'where email goes, as `smtp://user:password@host:port`; needed in live mode'],
  [
    'SMS_URL',
    'the mailbox page; no texts in live mode',
    'where text messages go: a gateway that accepts a POST of `{"to", "text"}`',
  ],
  ['SMS_TOKEN', 'none', 'sent to the gateway as `Authorization: Bearer`'],
  [
    'RAIL_URL',
    'nobody',
    'who collects money for customers and pays it out in live mode (docs/providers.md); https, except on localhost',
  ],
  ['RAIL_SECRET', 'none', 'at least 32 characters, shared with RAIL_URL; needed with it'],
  ['RAIL_SECRET_PREVIOUS', 'none', 'another one that RAIL_URL may still sign with'],
  ['RAIL_METHODS', 'card,bank,wallet', 'the ways to add money that RAIL_URL offers; with `bank` it pays out, too'],
  [
    'PRICE_FEED_URL',
    'nobody; nothing is traded',
    'who publishes the prices of funds and coins in live mode (docs/providers.md); https, except on localhost',
  ],
  ['PRICE_FEED_TOKEN', 'none', 'sent to PRICE_FEED_URL as `Authorization: Bearer`'],
  ['CARD_SCHEME_SECRET', 'none', 'at least 32 characters, shared with the card scheme (docs/card-scheme.md)'],
  ['CARD_SCHEME_SECRET_PREVIOUS', 'none', 'another one that the card scheme may still sign with'],
  [
    'ADVISOR_URL',
    'none; the rules alone read questions',
    'an OpenAI-compatible endpoint that helps the advisor to read questions (docs/providers.md); https, except on localhost',
  ],
  ['ADVISOR_MODEL', 'none', 'the model that is asked for at ADVISOR_URL; needed with it'],
  ['ADVISOR_KEY', 'none', 'sent to ADVISOR_URL as `Authorization: Bearer`'],
  [
    'SEAL_FILE',
    'none',
    'a file to which the head of each seal of the ledger is added (docs/operations.md, "Prove the books")',
  ],
  ['SEAL_MAIL', 'nobody', 'an email address that each head is sent to; needs SMTP_URL'],
  ['SEAL_URL', 'nobody', 'an address that each head is sent to, signed; https, except on localhost'],
  ['SEAL_SECRET', 'none', 'at least 32 characters, shared with SEAL_URL; needed with it'],
  ['SAMPLE_DATE', 'everybody', "who can move a sample bank's date forward: `everybody` or `operator`"],
  ['LOG_LEVEL', 'warn in sample mode, info in live mode', LOG_LEVELS.map((level) => `\`${level}\``).join(', ')],
  ['TRUST_PROXY', 'false', '`true` when a proxy in front sets X-Forwarded-For'],
  ['METRICS_PORT', 'none', 'the port on which Prometheus reads `/metrics` (docs/operations.md)'],
  ['METRICS_HOST', '127.0.0.1', 'the address on which it does; everybody who reaches it can read the metrics'],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none; nothing is traced',
    'where OpenTelemetry traces are sent by OTLP over HTTP, as `http://localhost:4318`',
  ],
  [
    'OTEL_EXPORTER_OTLP_HEADERS',
    'none',
    'headers that are sent along, as `api-key=…`, with commas between them and other signs as in an address (`%20`)',
  ],
  ['OTEL_TRACES_SAMPLER_ARG', '1', 'the part of all traces that is sent, from 0 to 1'],
] as const satisfies [name: string, standard: string, meaning: string][]

/** What no process list and no `inspect` of a container should show: each can be given as a file instead, in `NAME_FILE`. */
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

/** A variable that the bank cannot start with. The message is a sentence that names it. */
class ConfigError extends StartError {
  override readonly name = 'ConfigError'
}

/**
 * Reads the environment; an empty value counts as not set. In sample mode without BANK_SECRET, a secret is made
 * at the first start and kept in the data folder.
 * Throws ConfigError naming the first variable that is wrong or missing.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = withFiles(
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== '')),
  )
  const unknown = Object.keys(given).find((name) => name.startsWith('BANK_') && !(name in environment.shape))
  if (unknown !== undefined)
    throw new ConfigError(`${unknown} is not a variable of Alder's; those that begin with BANK_ are ${OWN_NAMES}.`)
  const inFile = Object.keys(environment.shape).find((name) => given[`${name}_FILE`] !== undefined)
  if (inFile !== undefined)
    throw new ConfigError(`${inFile}_FILE is read by nobody, because ${inFile} is no secret: set ${inFile} itself.`)
  const parsed = environment.safeParse(given)
  if (!parsed.success) throw new ConfigError(`${parsed.error.issues[0]?.message}.`)
  const set = parsed.data
  const mode = set.BANK_MODE
  if (mode === 'live') {
    for (const name of ['DATABASE_URL', 'BANK_SECRET', 'PUBLIC_URL', 'SMTP_URL'] as const) {
      if (set[name] === undefined) throw new ConfigError(`${name} must be set when BANK_MODE is live.`)
    }
  }
  if (set.METRICS_PORT !== undefined && set.METRICS_PORT !== 0 && set.METRICS_PORT === set.PORT)
    throw new ConfigError(`METRICS_PORT and PORT are both ${set.PORT}; set METRICS_PORT to another one.`)
  if (set.REPLICA_URL !== undefined && set.DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_URL must be set when REPLICA_URL is: the embedded database has no standby.')
  const dataDir = resolve(set.DATA_DIR)
  return {
    mode,
    port: set.PORT ?? 3000,
    portFixed: set.PORT !== undefined,
    listenHosts: set.LISTEN_HOST ?? null,
    drainMs: set.DRAIN_SECONDS * 1_000,
    dataDir,
    databaseUrl: set.DATABASE_URL ?? null,
    replicaUrl: set.REPLICA_URL ?? null,
    secret: set.BANK_SECRET ?? keptSecret(dataDir),
    earlierSecrets: set.BANK_SECRET_PREVIOUS === undefined ? [] : [set.BANK_SECRET_PREVIOUS],
    nextSecret: set.BANK_SECRET_NEXT ?? null,
    timeZone: set.BANK_TIME_ZONE ?? null,
    routingNumber: routingNumberIn(set),
    origin: set.PUBLIC_URL ?? null,
    smtpUrl: set.SMTP_URL ?? null,
    smsUrl: set.SMS_URL ?? null,
    smsToken: set.SMS_TOKEN ?? null,
    sampleDate: set.SAMPLE_DATE,
    rail: railIn(set),
    priceFeed:
      set.PRICE_FEED_URL === undefined
        ? null
        : { url: set.PRICE_FEED_URL, token: set.PRICE_FEED_TOKEN ?? null, timeoutMs: PRICE_FEED_TIMEOUT_MS },
    advisor: advisorIn(set),
    sealHeads: sealHeadsIn(set),
    cardSchemeSecret: set.CARD_SCHEME_SECRET ?? null,
    previousCardSchemeSecret: set.CARD_SCHEME_SECRET_PREVIOUS ?? null,
    logLevel: set.LOG_LEVEL ?? (mode === 'live' ? 'info' : 'warn'),
    trustProxy: set.TRUST_PROXY,
    metrics: set.METRICS_PORT === undefined ? null : { host: set.METRICS_HOST, port: set.METRICS_PORT },
    traces:
      set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: set.OTEL_EXPORTER_OTLP_HEADERS,
            ratio: set.OTEL_TRACES_SAMPLER_ARG,
          },
  }
}

/** The environment with what its `NAME_FILE`s hold, for each NAME that is a secret. Throws ConfigError. */
function withFiles(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const all = { ...given }
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]
    delete all[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set; unset one of them.`)
    all[name] = contentOf(`${name}_FILE`, file)
  }
  return all
}

/** What a file holds, without its last newline, which editors and `echo` add. */
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
 * Of a sample bank. Routing numbers begin with 00 to 12, 21 to 32, 61 to 72 or 80 (American Bankers Association, Routing Number
 * Policy), so no bank has one that begins with 99.
 */
export const SAMPLE_ROUTING_NUMBER = '991234561'
const GIVEN_OUT = /^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/

function routingNumberIn({ BANK_MODE: mode, BANK_ROUTING_NUMBER: number }: z.infer<typeof environment>): string | null {
  if (number === undefined) return mode === 'sample' ? SAMPLE_ROUTING_NUMBER : null
  if (mode === 'live' && !GIVEN_OUT.test(number))
    throw new ConfigError(`BANK_ROUTING_NUMBER must be one that a bank can have, not "${number}".`)
  return number
}

/** How long the provider has to answer, in milliseconds. */
const RAIL_TIMEOUT_MS = 10_000
/** How long the price feed has; customers wait for it. */
const PRICE_FEED_TIMEOUT_MS = 3_000

function railIn(set: z.infer<typeof environment>) {
  const { RAIL_URL: url, RAIL_SECRET: secret, RAIL_METHODS: methods } = set
  if (url === undefined) return null
  if (secret === undefined) throw new ConfigError('RAIL_SECRET must be set when RAIL_URL is.')
  return {
    url,
    secret,
    previousSecret: set.RAIL_SECRET_PREVIOUS,
    methods,
    timeoutMs: RAIL_TIMEOUT_MS,
  }
}

/** How long whoever keeps the heads of seals has to answer, in milliseconds; a job waits for it. */
const SEAL_TIMEOUT_MS = 10_000

function sealHeadsIn(set: z.infer<typeof environment>): Config['sealHeads'] {
  const { SEAL_FILE: file, SEAL_MAIL: mail, SEAL_URL: url, SEAL_SECRET: secret } = set
  if (mail !== undefined && set.SMTP_URL === undefined) throw new ConfigError('SMTP_URL must be set when SEAL_MAIL is.')
  if (url !== undefined && secret === undefined) throw new ConfigError('SEAL_SECRET must be set when SEAL_URL is.')
  return {
    file: file === undefined ? null : resolve(file),
    mail: mail ?? null,
    url: url === undefined || secret === undefined ? null : { url, secret, timeoutMs: SEAL_TIMEOUT_MS },
  }
}

/** How long a model may be silent, and how long its reply may take; a customer looks on. */
const ADVISOR_TIMEOUT_MS = 6_000

function advisorIn({ ADVISOR_URL: url, ADVISOR_MODEL: model, ADVISOR_KEY: key }: z.infer<typeof environment>) {
  if (url === undefined) return null
  if (model === undefined) throw new ConfigError('ADVISOR_MODEL must be set when ADVISOR_URL is.')
  return { url, model, key: key ?? null, timeoutMs: ADVISOR_TIMEOUT_MS }
}

/** Whether a zone has a name that says where it is; '+02:00' has no summer time, and PostgreSQL reads it the other way round. */
function isZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && zoneNamed(name) !== ''
  } catch {
    return false
  }
}

/** A message that shows the value, for variables that are no secret. */
const shown = (name: string, rule: string) => ({
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

/** What is sent there cannot be read on the way. */
const isPrivate = ({ protocol, hostname }: URL) => protocol === 'https:' || hostname === 'localhost'

/**
 * What is wrong with the address of a database; null where nothing is. Who connects has to stand before the host: the bank puts
 * its own role there, which a user after a ? would replace by the owner.
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
    return 'has a % that two hexadecimal digits have to follow; one that is meant is written %25'
  }
}

/**
 * The driver takes these three for `verify-full`, and says in five lines that it will not always. So it is told what is meant: whoever
 * answers is the database whose certificate somebody trusted has signed, and nothing less.
 */
const withFullTls = (text: string): string =>
  new URL(text).searchParams.get('uselibpqcompat') === 'true'
    ? text
    : text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/** Headers as OpenTelemetry writes them: `name=value,name=value`, where other signs are as in an address. Null where they are not. */
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
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, shown(name, 'a whole number from 0 to 65535'))
    .transform(Number)
    .optional()

const environment = z.object({
  BANK_MODE: z.enum(['sample', 'live'], shown('BANK_MODE', '"sample" or "live"')).default('sample'),
  PORT: portNumber('PORT'),
  LISTEN_HOST: z
    .string()
    .refine(
      (text) => partsOf(text).every((part) => isIP(part) !== 0),
      shown('LISTEN_HOST', 'an IP address of this machine, or several with commas between them'),
    )
    .transform((text) => [...new Set(partsOf(text))])
    .optional(),
  DRAIN_SECONDS: z
    .string()
    .refine(
      (text) => /^\d{1,3}$/.test(text) && Number(text) <= 120,
      shown('DRAIN_SECONDS', 'a whole number from 0 to 120'),
    )
    .default('5')
    .transform(Number),
  DATA_DIR: z
    .string()
    .refine((path) => !path.includes('\0'), shown('DATA_DIR', 'the path of a folder'))
    .default('.data'),
  DATABASE_URL: databaseAddress('DATABASE_URL'),
  REPLICA_URL: databaseAddress('REPLICA_URL'),
  BANK_SECRET: secret('BANK_SECRET'),
  BANK_SECRET_PREVIOUS: secret('BANK_SECRET_PREVIOUS'),
  BANK_SECRET_NEXT: secret('BANK_SECRET_NEXT'),
  BANK_TIME_ZONE: z
    .string()
    .refine(isZone, shown('BANK_TIME_ZONE', 'the name of a time zone, as Europe/Berlin'))
    .optional(),
  BANK_ROUTING_NUMBER: z
    .string()
    .refine(
      (text) => /^\d{9}$/.test(text) && isRoutingNumber(text),
      shown('BANK_ROUTING_NUMBER', 'nine digits that are a routing number'),
    )
    .optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, ...shown('PUBLIC_URL', 'an address that starts with https://') })
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
    .enum(['everybody', 'operator'], shown('SAMPLE_DATE', '"everybody" or "operator"'))
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
      shown('RAIL_METHODS', `some of ${TOP_UP_METHODS.join(', ')}`),
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
    .refine((path) => !path.includes('\0'), shown('SEAL_FILE', 'the path of a file'))
    .optional(),
  SEAL_MAIL: z
    .email(shown('SEAL_MAIL', 'an email address'))
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
  LOG_LEVEL: z.enum(LOG_LEVELS, shown('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`)).optional(),
  TRUST_PROXY: z
    .enum(['true', 'false'], shown('TRUST_PROXY', '"true" or "false"'))
    .default('false')
    .transform((text) => text === 'true'),
  METRICS_PORT: portNumber('METRICS_PORT'),
  METRICS_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0 || text === 'localhost', shown('METRICS_HOST', 'an IP address of this machine'))
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
    .refine((text) => /^(0|1|0?\.\d+|1\.0+)$/.test(text), shown('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1'))
    .default('1')
    .transform(Number),
})

/** These names are nobody else's, so one that is misspelled is told from one that is another program's. */
const OWN_NAMES = new Intl.ListFormat('en').format(
  Object.keys(environment.shape).filter((name) => name.startsWith('BANK_')),
)

function keptSecret(dataDir: string): string {
  try {
    makeFolder(dataDir, 0o711)
    return secretIn(join(dataDir, 'secret'))
  } catch (error) {
    throw new ConfigError(`DATA_DIR must be a folder that can be written: ${(error as Error).message}.`)
  }
}
