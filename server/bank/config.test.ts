import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isRoutingNumber } from '#contract/bank-numbers.ts'
import { readConfig, SECRETS, VARIABLES } from '#server/bank/config.ts'

const dir = mkdtempSync(join(tmpdir(), 'alder-config-'))
afterAll(() => rmSync(dir, { recursive: true }))

const liveSettings = {
  BANK_MODE: 'live',
  DATA_DIR: dir,
  DATABASE_URL: 'postgres://owner:pw@db.example/bank',
  BANK_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://alder.example',
  SMTP_URL: 'smtp://mail.example',
}

test('the sample bank needs no settings', () => {
  const config = readConfig({ DATA_DIR: dir, PORT: '' })
  expect(config).toMatchObject({ mode: 'sample', port: 3000, portFixed: false, databaseUrl: null, origin: null })
  expect(config.secret.length).toBeGreaterThanOrEqual(32)
})

test('a generated secret is stored, readable only by its owner', () => {
  const { secret } = readConfig({ DATA_DIR: dir })
  expect(readConfig({ DATA_DIR: dir }).secret).toBe(secret)
  expect(statSync(join(dir, 'secret')).mode & 0o777).toBe(0o600)
})

test('live mode starts with all required settings', () => {
  const config = readConfig({
    ...liveSettings,
    PORT: '8080',
    PUBLIC_URL: 'https://alder.example/',
    TRUST_PROXY: 'true',
  })
  expect(config).toMatchObject({ mode: 'live', port: 8080, portFixed: true, origin: 'https://alder.example' })
  expect(config).toMatchObject({ trustProxy: true, logLevel: 'info' })
})

test.each(['DATABASE_URL', 'BANK_SECRET', 'PUBLIC_URL', 'SMTP_URL'])('live mode does not start without %s', (name) => {
  expect(() => readConfig({ ...liveSettings, [name]: undefined })).toThrow(
    `${name} must be set when BANK_MODE is live.`,
  )
})

test.each([
  ['BANK_MODE', 'demo'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3e3'],
  ['PORT', '80.5'],
  ['LISTEN_HOST', 'localhost'],
  ['DRAIN_SECONDS', '121'],
  ['DRAIN_SECONDS', '1.5'],
  ['LISTEN_HOST', '127.0.0.1,'],
  ['LISTEN_HOST', '10.0.0.256'],
  ['DATABASE_URL', 'mysql://somewhere'],
  ['DATABASE_URL', 'nonsense'],
  ['DATABASE_URL', 'postgres:///bank?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://owner:50%25@db.example/bank?user=owner'],
  ['DATABASE_URL', 'postgres://db.example/bank?password=pw'],
  ['DATABASE_URL', 'postgres://owner:50%@db.example/bank'],
  ['DATABASE_URL', 'postgres://db.example:99999/bank'],
  ['BANK_SECRET', 'short'],
  ['REPLICA_URL', 'https://replica.example'],
  ['BANK_ROUTING_NUMBER', '011000016'],
  ['BANK_ROUTING_NUMBER', '11000015'],
  ['BANK_ROUTING_NUMBER', '000000000'],
  ['BANK_ROUTING_NUMBER', '0110-00015'],
  ['BANK_ROUTING_NUMBER', '٠١١٠٠٠٠١٥'],
  ['PUBLIC_URL', 'alder.example'],
  ['PUBLIC_URL', 'http://alder.example'],
  ['PUBLIC_URL', 'https://alder.example/bank'],
  ['SMTP_URL', 'https://mail.example'],
  ['SAMPLE_DATE', 'nobody'],
  ['RAIL_URL', 'rail.example'],
  ['RAIL_URL', 'http://rail.example'],
  ['RAIL_URL', 'http://localhost.rail.example'],
  ['RAIL_SECRET', 'short'],
  ['RAIL_METHODS', 'card,cheque'],
  ['ADVISOR_URL', 'model.example'],
  ['ADVISOR_URL', 'http://model.example/v1'],
  ['ADVISOR_URL', 'file:///etc/passwd'],
  ['ADVISOR_KEY', 'two words'],
  ['PRICE_FEED_URL', 'prices.example'],
  ['PRICE_FEED_URL', 'http://prices.example'],
  ['PRICE_FEED_URL', 'http://localhost.prices.example/now'],
  ['PRICE_FEED_TOKEN', 'two words'],
  ['SEAL_MAIL', 'somebody'],
  ['SEAL_URL', 'http://seals.example'],
  ['SEAL_SECRET', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'yes'],
  ['DATA_DIR', '/dev/null/data'],
  ['METRICS_PORT', '70000'],
  ['METRICS_PORT', 'on'],
  ['METRICS_HOST', 'metrics.example'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ DATA_DIR: dir, [name]: value })).toThrow(new RegExp(`^${name} .+\\.$`))
})

test('a replica requires the operator’s own database', () => {
  const replica = 'postgres://replica.example/alder'
  expect(readConfig({ ...liveSettings, REPLICA_URL: replica }).replicaUrl).toBe(replica)
  expect(readConfig(liveSettings).replicaUrl).toBeNull()
  expect(() => readConfig({ DATA_DIR: dir, REPLICA_URL: replica })).toThrow(/^DATABASE_URL must be set .+\.$/)
})

test('a sample bank has a routing number that no real bank has, and a live bank has the configured one', () => {
  const sample = readConfig({ DATA_DIR: dir }).routingNumber ?? ''
  expect(isRoutingNumber(sample)).toBe(true)
  expect(readConfig(liveSettings).routingNumber).toBeNull()
  expect(readConfig({ ...liveSettings, BANK_ROUTING_NUMBER: '011000015' }).routingNumber).toBe('011000015')
  expect(() => readConfig({ ...liveSettings, BANK_ROUTING_NUMBER: sample })).toThrow(/^BANK_ROUTING_NUMBER .+\.$/)
})

test('metrics are served on the loopback address, and metrics and traces are off by default', () => {
  expect(readConfig(liveSettings)).toMatchObject({ metrics: null, traces: null })
  const telemetrySettings = { METRICS_PORT: '9464', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' }
  expect(readConfig({ ...liveSettings, ...telemetrySettings }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(readConfig({ ...liveSettings, ...telemetrySettings, METRICS_HOST: '::' }).metrics).toEqual({
    host: '::',
    port: 9464,
  })
  expect(readConfig({ ...liveSettings, ...telemetrySettings }).traces).toEqual({
    endpoint: 'http://localhost:4318',
    headers: {},
    ratio: 1,
  })
  expect(readConfig({ ...liveSettings, ...telemetrySettings, OTEL_TRACES_SAMPLER_ARG: '0.05' }).traces).toMatchObject({
    ratio: 0.05,
  })
})

test('headers for the collector are parsed in OpenTelemetry’s format, and are not printed if they are invalid', () => {
  const traceSettings = { ...liveSettings, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' }
  const readHeaders = (text: string) =>
    readConfig({ ...traceSettings, OTEL_EXPORTER_OTLP_HEADERS: text }).traces?.headers
  expect(readHeaders('api-key=hunter2, authorization=Basic%20aHVudGVyMg==')).toEqual({
    'api-key': 'hunter2',
    authorization: 'Basic aHVudGVyMg==',
  })
  for (const text of ['hunter2', 'api-key=', 'a=hunter2,', 'a=hunter2%', 'a=hunter2%0A', '=hunter2', 'a b=hunter2']) {
    expect(() => readHeaders(text), text).toThrow('OTEL_EXPORTER_OTLP_HEADERS must be headers as name=value')
    expect(() => readHeaders(text), text).not.toThrow('hunter2')
  }
})

test('metrics and the bank must not use the same port', () => {
  expect(() => readConfig({ ...liveSettings, PORT: '8080', METRICS_PORT: '8080' })).toThrow(
    'METRICS_PORT and PORT are both 8080; set METRICS_PORT to another one.',
  )
  expect(readConfig({ ...liveSettings, PORT: '0', METRICS_PORT: '0' }).metrics?.port).toBe(0)
})

test('a database connection verifies the certificate and the host name, unless the URL disables it', () => {
  const readDatabaseUrl = (search: string) =>
    readConfig({ ...liveSettings, DATABASE_URL: `postgres://db.example/bank${search}` }).databaseUrl
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(readDatabaseUrl(`?sslmode=${mode}&sslrootcert=/ca.pem`)).toMatch(
      /\?sslmode=verify-full&sslrootcert=\/ca\.pem$/,
    )
  for (const search of ['', '?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'])
    expect(readDatabaseUrl(search)).toMatch(new RegExp(`/bank${search.replace('?', '\\?')}$`))
})

test('a rail has an address, a secret, and the ways to add money that it offers', () => {
  expect(readConfig(liveSettings).rail).toBeNull()
  const rail = { RAIL_URL: 'https://rail.example/v1', RAIL_SECRET: 'y'.repeat(32) }
  expect(readConfig({ ...liveSettings, ...rail }).rail).toMatchObject({ methods: ['card', 'bank', 'wallet'] })
  expect(readConfig({ ...liveSettings, ...rail, RAIL_METHODS: 'bank, card' }).rail).toMatchObject({
    methods: ['bank', 'card'],
  })
  expect(readConfig({ ...liveSettings, ...rail, RAIL_URL: 'http://localhost:9000' }).rail?.url).toBe(
    'http://localhost:9000',
  )
  expect(() => readConfig({ ...liveSettings, ...rail, RAIL_SECRET: undefined })).toThrow('RAIL_SECRET must be set')
})

test('the heads of seals are sent if all their settings are present', () => {
  expect(readConfig(liveSettings).sealHeads).toEqual({ file: null, mail: null, url: null })
  const seals = { SEAL_FILE: 'heads', SEAL_MAIL: 'Audit@example.com', SEAL_URL: 'https://seals.example/alder' }
  const sealSettings = { ...liveSettings, ...seals, SEAL_SECRET: 'z'.repeat(32) }
  expect(readConfig(sealSettings).sealHeads).toMatchObject({
    file: resolve('heads'),
    mail: 'audit@example.com',
    url: { url: 'https://seals.example/alder' },
  })
  expect(() => readConfig({ ...sealSettings, SEAL_SECRET: undefined })).toThrow('SEAL_SECRET must be set')
  expect(() => readConfig({ DATA_DIR: dir, SEAL_MAIL: 'audit@example.com' })).toThrow('SMTP_URL must be set')
})

test.each(['DATABASE_URL', 'BANK_SECRET', 'SMTP_URL', 'RAIL_SECRET', 'SEAL_SECRET'])(
  'a wrong %s is not printed, because it contains a secret',
  (name) => {
    expect(() => readConfig({ DATA_DIR: dir, [name]: 'hunter2' })).not.toThrow('hunter2')
    expect(() => readConfig({ DATA_DIR: dir, [name]: 'hunter2' })).toThrow(name)
  },
)

test('docs/configuration.md has a row for each variable', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  for (const [name, standard, meaning] of VARIABLES)
    expect(page).toContain(`| \`${name}\` | ${standard} | ${meaning} |`)
})

test('the bank listens on one or several addresses', () => {
  expect(readConfig({ DATA_DIR: dir }).listenHosts).toBeNull()
  expect(readConfig({ DATA_DIR: dir, LISTEN_HOST: '0.0.0.0' }).listenHosts).toEqual(['0.0.0.0'])
  expect(readConfig({ DATA_DIR: dir, LISTEN_HOST: '10.0.0.5, ::1,10.0.0.5' }).listenHosts).toEqual(['10.0.0.5', '::1'])
})

test.each(SECRETS)('%s can be a file that contains the value and an optional newline', (name) => {
  const value = {
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=zzz',
    DATABASE_URL: 'postgres://owner:pw@db.example/bank',
    REPLICA_URL: 'postgres://replica.example/bank',
    SMTP_URL: 'smtp://user:pw@mail.example',
    RAIL_SECRET: ' with a space at the end, and long enough ',
  }[name as string]
  const file = join(dir, name)
  const readSettings = () =>
    readConfig({
      DATA_DIR: dir,
      RAIL_URL: 'https://rail.example',
      RAIL_SECRET: name === 'RAIL_SECRET' ? '' : 'y'.repeat(32),
      ADVISOR_URL: 'https://model.example',
      ADVISOR_MODEL: 'm',
      PRICE_FEED_URL: 'https://prices.example',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
      ...(name === 'REPLICA_URL' ? { DATABASE_URL: 'postgres://db.example/alder' } : {}),
      SEAL_URL: 'https://seals.example',
      SEAL_SECRET: name === 'SEAL_SECRET' ? '' : 's'.repeat(32),
      [`${name}_FILE`]: file,
    })
  const secret = value ?? 'z'.repeat(32)
  for (const end of ['', '\n', '\r\n']) {
    writeFileSync(file, secret + end)
    expect(JSON.stringify(readSettings())).toContain(JSON.stringify(secret.replace('api-key=', '')))
  }
  writeFileSync(file, '\n')
  expect(readSettings).toThrow(`${name}_FILE names a file that is empty: ${file}.`)
  rmSync(file)
  expect(readSettings).toThrow(new RegExp(`^${name}_FILE must be a file that can be read: ENOENT.+\\.$`))
  expect(() => readConfig({ DATA_DIR: dir, [name]: secret, [`${name}_FILE`]: file })).toThrow(
    `${name} and ${name}_FILE are both set; unset one of them.`,
  )
})

test('a file setting for a variable that cannot be a file stops the start', () => {
  expect(() => readConfig({ ...liveSettings, SMS_URL_FILE: '/run/secrets/sms' })).toThrow(
    'SMS_URL_FILE is not used, because SMS_URL is not a secret: set SMS_URL itself.',
  )
  expect(readConfig({ ...liveSettings, SMS_URL_FILE: '', OTHERS_FILE: '/x', SEAL_FILE: 'heads' }).smsUrl).toBeNull()
})

test('docs/configuration.md names the variables that can be files', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  const [, namedSecrets = ''] = /^(`BANK_SECRET`, [^.]+?) can each be kept in a file instead/m.exec(page) ?? []
  expect(namedSecrets.match(/[A-Z_]+/g)).toEqual([...SECRETS])
})
