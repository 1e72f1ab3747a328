import type pg from 'pg'
import { until } from '#server/faults/bank-process.ts'
import type { DrilledBank, DrilledServer } from './bank.ts'
import type { Load } from './load.ts'
import type { OutsideServices } from './outside-services.ts'

type Scene = { bank: DrilledBank; load: Load; world: OutsideServices }

/** A failure, with the alerts that must report it. */
export type DrillFailure = {
  name: string
  /** The alerts that must fire, each with a limit in seconds. The failure ends once all of them fire, or at the last limit. */
  raises: Record<string, number>
  /** Other alerts that may fire, because their condition is true as well. */
  also?: readonly string[]
  /** The length of a failure without required alerts, in seconds. */
  lastsS?: number
  /** Whether the failure takes long. Other failures run meanwhile. */
  isLong?: boolean
  /**
   * Whether the failure keeps the bank from reading figures from its tables. Rules about those figures cannot fire meanwhile.
   */
  blinds?: boolean
  begin(): Promise<void>
  mend(): Promise<void>
}

/**
 * The divisor of all times in the rules. The bank's own intervals, such as the one at which it reads figures from its tables,
 * are not divided.
 */
export const FACTOR = 3

/**
 * Returns the limit for an alert in the accelerated drill: the rule's seconds divided by FACTOR, plus the delays of the bank,
 * Prometheus and a busy machine.
 */
export const withinSeconds = (ruleS: number, bankS = 0): number => ruleS / FACTOR + bankS + 25

/** Makes every update of these rows of a table fail, as a faulty migration would. Returns the function that undoes it. */
async function breakTable(bank: DrilledBank, table: string, rows = 'true'): Promise<() => Promise<void>> {
  const name = `drill_${table.replace('.', '_')}`
  await bank.asOwner(`
    CREATE FUNCTION bank.${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the drill'; END $$;
    CREATE TRIGGER ${name} BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${rows}) EXECUTE FUNCTION bank.${name}()`)
  return async () => void (await bank.asOwner(`DROP TRIGGER ${name} ON ${table}; DROP FUNCTION bank.${name}()`))
}

function processes({ bank }: Scene): DrillFailure[] {
  const [firstServer, secondServer] = bank.servers as [DrilledServer, DrilledServer]
  return [
    {
      name: 'a server is killed, and stays away',
      raises: { AlderServerDown: withinSeconds(60) },
      begin: secondServer.kill,
      mend: secondServer.start,
    },
    {
      name: 'both servers are killed',
      raises: { AlderServerDown: withinSeconds(60), AlderNoServer: withinSeconds(60) },
      begin: async () => void (await Promise.all([firstServer.kill(), secondServer.kill()])),
      mend: async () => void (await Promise.all([firstServer.start(), secondServer.start()])),
    },
    {
      name: 'a server is killed and started again at once',
      raises: {},
      // On a busy machine, a start may take longer than the rule's minute, which is divided by FACTOR here.
      also: ['AlderServerDown'],
      lastsS: 45,
      begin: async () => {
        await firstServer.kill()
        await firstServer.start()
      },
      mend: async () => undefined,
    },
    {
      name: 'a server hangs',
      raises: { AlderServerDown: withinSeconds(60) },
      begin: async () => secondServer.freeze(true),
      mend: async () => secondServer.freeze(false),
    },
  ]
}

/** The alerts about slowness that a slow database causes. */
const SLOW = [
  'AlderPaymentsSlow',
  'AlderCardsSlow',
  'AlderLedgerSlow',
  'AlderConnectionsSlow',
  'AlderConnectionsScarce',
]

function databases({ bank, load }: Scene): DrillFailure[] {
  let holder: pg.Client | undefined
  return [
    {
      name: 'PostgreSQL is killed and recovers by itself',
      raises: {},
      lastsS: 45,
      begin: async () => bank.database.kill(),
      mend: async () => undefined,
    },
    {
      name: 'PostgreSQL is killed, and stays away',
      raises: {
        AlderNotReady: withinSeconds(60, 15),
        AlderRequestsFail: withinSeconds(300),
        AlderMetricsOld: withinSeconds(240, 30),
      },
      also: ['AlderLedgerRetries unavailable', 'AlderErrorsLogged', 'AlderLoadShed', ...SLOW],
      blinds: true,
      begin: async () => bank.database.takeAway(),
      mend: async () => bank.database.bringBack(),
    },
    {
      name: "a lock is held on the ledger's transfers",
      raises: {
        AlderRequestsFail: withinSeconds(300),
        AlderPaymentsSlow: withinSeconds(300),
        'AlderLedgerRetries lock': withinSeconds(300),
      },
      // Jobs and connections wait for the lock as well, until the bank refuses requests at once.
      also: [
        'AlderErrorsLogged',
        'AlderRecurringJobLate',
        'AlderJobFails',
        'AlderLoadShed',
        'AlderLedgerRetries',
        ...SLOW,
      ],
      begin: async () => {
        holder = await bank.connect()
        await holder.query('BEGIN; LOCK TABLE ledger.transfer IN SHARE ROW EXCLUSIVE MODE')
      },
      mend: async () => {
        await holder?.query('COMMIT')
        await holder?.end()
      },
    },
    {
      name: 'a table is not as this version knows it',
      raises: { AlderUnexpectedErrors: withinSeconds(0) },
      begin: async () => {
        await bank.asOwner(`ALTER TABLE bank.budget RENAME TO budget_of_the_drill`)
        const { cookie = '' } = load.people[0] ?? {}
        for (const place of [0, 1]) await (await load.ask('/api/v1/analytics', { headers: { cookie }, place })).text()
      },
      mend: async () => {
        await bank.asOwner(`ALTER TABLE bank.budget_of_the_drill RENAME TO budget`)
      },
    },
  ]
}

function jobs({ bank, load }: Scene): DrillFailure[] {
  const undo: { sweep?: () => Promise<void>; release?: () => Promise<void> } = {}
  return [
    {
      name: 'a recurring job fails',
      isLong: true,
      raises: { AlderRecurringJobLate: withinSeconds(60, 240 + 60 + 30) },
      also: ['AlderJobFails rewards.sweep_sends'],
      begin: async () => void (undo.sweep = await breakTable(bank, 'bank.points_sweep')),
      mend: async () => undo.sweep?.(),
    },
    {
      name: 'a job has failed its last try',
      raises: { AlderJobsFailed: withinSeconds(60, 30) },
      begin: async () =>
        void (await bank.asOwner(
          `SELECT graphile_worker.add_job('mail.deliver', json_build_object('mailId', 'none'), max_attempts => 1)`,
        )),
      mend: async () =>
        void (await bank.asOwner(
          `SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker._private_jobs WHERE attempts >= max_attempts))`,
        )),
    },
    {
      name: 'what a shop never captured is not released',
      isLong: true,
      raises: { AlderCardPaymentsNotCaptured: withinSeconds(60, 30) },
      begin: async () => {
        const id = await load.authorise()
        const its = `scheme_id = '${id}'`
        await bank.asOwner(`UPDATE bank.card_authorisation SET expires_at = now() - interval '20 minutes' WHERE ${its}`)
        undo.release = await breakTable(bank, 'bank.card_authorisation', `OLD.${its}`)
      },
      // The bank looks for expired authorizations every five minutes.
      mend: async () => {
        await undo.release?.()
        const expiredHolds = `SELECT FROM bank.card_authorisation WHERE status = 'held' AND expires_at < now()`
        await until(
          'it is released',
          330_000,
          async () => (await bank.asOwner(expiredHolds).catch(() => [0])).length === 0,
        )
      },
    },
  ]
}

/**
 * The maximum time until the first mail, in seconds. The bank writes a mail when a person signs in. On a busy machine, this may
 * take a while.
 */
const FIRST_MAIL_S = 120

/** Retries failed jobs at once. Their own delay is 18 minutes after seven failures and is not divided by FACTOR. */
const tryAgain = async (bank: DrilledBank, name: string): Promise<void> =>
  void (await bank.asOwner(
    `SELECT graphile_worker.reschedule_jobs(
       ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND attempts > 0), run_at => now())`,
    [name],
  ))

function outside({ bank, load, world }: Scene): DrillFailure[] {
  return [
    {
      name: 'the mail server is away',
      isLong: true,
      raises: {
        AlderMailStuck: withinSeconds(1_800 + 60, 15 + FIRST_MAIL_S),
        'AlderJobFails mail.deliver': withinSeconds(900),
      },
      also: ['AlderErrorsLogged'],
      begin: () => world.mail(false),
      mend: async () => {
        await world.mail(true)
        await tryAgain(bank, 'mail.deliver')
      },
    },
    {
      name: 'the payment provider answers 500',
      isLong: true,
      raises: { AlderRailStuck: withinSeconds(1_800 + 60, 15), 'AlderJobFails rails.ask_provider': withinSeconds(900) },
      also: ['AlderErrorsLogged'],
      begin: async () => world.provider(false),
      mend: async () => {
        world.provider(true)
        await tryAgain(bank, 'rails.ask_provider')
      },
    },
    {
      name: 'the gateway for texts answers 500',
      isLong: true,
      raises: { AlderTextsStuck: withinSeconds(300 + 60, 15) },
      also: ['AlderJobFails messages.deliver'],
      begin: async () => {
        world.texts(false)
        const [person] = load.people
        await bank.asOwner(`UPDATE bank.customer SET phone = '+14155550132' WHERE email = $1`, [person?.email])
        const headers = { cookie: person?.cookie ?? '' }
        const response = await load.ask('/api/v1/phone-codes', { body: {}, headers })
        if (!response.ok) throw new Error(`The text message could not be requested: ${await response.text()}`)
      },
      mend: async () => world.texts(true),
    },
    {
      name: 'somebody tries passwords',
      raises: { AlderLimitsHit: withinSeconds(60) },
      begin: async () => {
        for (let tried = 0; tried < 700; tried += 1) {
          const headers = { 'x-forwarded-for': '203.0.113.7' }
          const body = { email: load.people[0]?.email, password: `guess ${tried}` }
          await (await load.ask('/api/v1/session', { body, headers }).catch(() => null))?.text()
        }
      },
      mend: async () => undefined,
    },
  ]
}

export const listFailures = (scene: Scene): DrillFailure[] => [
  ...processes(scene),
  ...databases(scene),
  ...jobs(scene),
  ...outside(scene),
]
