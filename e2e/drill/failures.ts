import type pg from 'pg'
import { until } from '#server/faults/bank-process.ts'
import type { DrilledBank, DrilledServer } from './bank.ts'
import type { Load } from './load.ts'
import type { World } from './world.ts'

type Scene = { bank: DrilledBank; load: Load; world: World }

/** Something that fails, and the alerts that tell of it. */
export type Failure = {
  name: string
  /** Each of these has to ring, within so many seconds. The failure lasts until they do. */
  raises: Record<string, number>
  /** What may ring besides, because it is true as well. */
  also?: readonly string[]
  /** How long it lasts where nothing is to ring, in seconds. */
  lastsS?: number
  /** One that takes long: others are met with meanwhile. */
  isLong?: boolean
  /** Meanwhile the bank cannot read what stands in its tables, and no rule about that rings. */
  blinds?: boolean
  begin(): Promise<void>
  mend(): Promise<void>
}

/** Times of the rules are divided by it. The bank's own, such as how often it reads what stands in its tables, are not. */
export const FACTOR = 3

/** The seconds of a rule, in a drill that hurries, with those that the bank, Prometheus and a busy machine may add. */
export const within = (ruleS: number, bankS = 0): number => ruleS / FACTOR + bankS + 25

/** From now on no change of such rows of a table succeeds, as with a fault in a migration. Answers what undoes it. */
async function breakTable(bank: DrilledBank, table: string, rows = 'true'): Promise<() => Promise<void>> {
  const name = `drill_${table.replace('.', '_')}`
  await bank.asOwner(`
    CREATE FUNCTION bank.${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the drill'; END $$;
    CREATE TRIGGER ${name} BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${rows}) EXECUTE FUNCTION bank.${name}()`)
  return async () => void (await bank.asOwner(`DROP TRIGGER ${name} ON ${table}; DROP FUNCTION bank.${name}()`))
}

function processes({ bank }: Scene): Failure[] {
  const [one, other] = bank.servers as [DrilledServer, DrilledServer]
  return [
    {
      name: 'a server is killed, and stays away',
      raises: { AlderServerDown: within(60) },
      begin: other.kill,
      mend: other.start,
    },
    {
      name: 'both servers are killed',
      raises: { AlderServerDown: within(60), AlderNoServer: within(60) },
      begin: async () => void (await Promise.all([one.kill(), other.kill()])),
      mend: async () => void (await Promise.all([one.start(), other.start()])),
    },
    {
      name: 'a server is killed and started again at once',
      raises: {},
      // On a busy machine a start takes longer than the rule's minute has seconds here.
      also: ['AlderServerDown'],
      lastsS: 45,
      begin: async () => {
        await one.kill()
        await one.start()
      },
      mend: async () => undefined,
    },
    {
      name: 'a server hangs',
      raises: { AlderServerDown: within(60) },
      begin: async () => other.freeze(true),
      mend: async () => other.freeze(false),
    },
  ]
}

/** What is slow while the database is. */
const SLOW = [
  'AlderPaymentsSlow',
  'AlderCardsSlow',
  'AlderLedgerSlow',
  'AlderConnectionsSlow',
  'AlderConnectionsScarce',
]

function databases({ bank, load }: Scene): Failure[] {
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
      raises: { AlderNotReady: within(60, 15), AlderRequestsFail: within(300), AlderMetricsOld: within(240, 30) },
      also: ['AlderLedgerRetries unavailable', 'AlderErrorsLogged', 'AlderLoadShed', ...SLOW],
      blinds: true,
      begin: async () => bank.database.takeAway(),
      mend: async () => bank.database.bringBack(),
    },
    {
      name: "a lock is held on the ledger's transfers",
      raises: {
        AlderRequestsFail: within(300),
        AlderPaymentsSlow: within(300),
        'AlderLedgerRetries lock': within(300),
      },
      // Jobs wait for it as well, and so do connections, until requests are refused at once.
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
      raises: { AlderUnexpectedErrors: within(0) },
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

function jobs({ bank, load }: Scene): Failure[] {
  const undo: { sweep?: () => Promise<void>; release?: () => Promise<void> } = {}
  return [
    {
      name: 'a recurring job fails',
      isLong: true,
      raises: { AlderRecurringJobLate: within(60, 240 + 60 + 30) },
      also: ['AlderJobFails rewards.sweep_sends'],
      begin: async () => void (undo.sweep = await breakTable(bank, 'bank.points_sweep')),
      mend: async () => undo.sweep?.(),
    },
    {
      name: 'a job has failed its last try',
      raises: { AlderJobsFailed: within(60, 30) },
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
      raises: { AlderCardPaymentsNotCaptured: within(60, 30) },
      begin: async () => {
        const id = await load.authorise()
        const its = `scheme_id = '${id}'`
        await bank.asOwner(`UPDATE bank.card_authorisation SET expires_at = now() - interval '20 minutes' WHERE ${its}`)
        undo.release = await breakTable(bank, 'bank.card_authorisation', `OLD.${its}`)
      },
      // Those that are overdue are looked for every five minutes.
      mend: async () => {
        await undo.release?.()
        const held = `SELECT FROM bank.card_authorisation WHERE status = 'held' AND expires_at < now()`
        await until('it is released', 330_000, async () => (await bank.asOwner(held).catch(() => [0])).length === 0)
      },
    },
  ]
}

/** A mail is written once somebody signs in: on a busy machine that may take a while. Seconds. */
const FIRST_MAIL_S = 120

/** Has jobs tried again at once that failed: how long they wait by themselves, up to 18 minutes after a failure of ten, is not divided. */
const tryAgain = async (bank: DrilledBank, name: string): Promise<void> =>
  void (await bank.asOwner(
    `SELECT graphile_worker.reschedule_jobs(
       ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = $1 AND attempts > 0), run_at => now())`,
    [name],
  ))

function outside({ bank, load, world }: Scene): Failure[] {
  return [
    {
      name: 'the mail server is away',
      isLong: true,
      raises: { AlderMailStuck: within(1_800 + 60, 15 + FIRST_MAIL_S), 'AlderJobFails mail.deliver': within(900) },
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
      raises: { AlderRailStuck: within(1_800 + 60, 15), 'AlderJobFails rails.ask_provider': within(900) },
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
      raises: { AlderTextsStuck: within(300 + 60, 15) },
      also: ['AlderJobFails messages.deliver'],
      begin: async () => {
        world.texts(false)
        const [person] = load.people
        await bank.asOwner(`UPDATE bank.customer SET phone = '+14155550132' WHERE email = $1`, [person?.email])
        const headers = { cookie: person?.cookie ?? '' }
        const response = await load.ask('/api/v1/phone-codes', { body: {}, headers })
        if (!response.ok) throw new Error(`No text was asked for: ${await response.text()}`)
      },
      mend: async () => world.texts(true),
    },
    {
      name: 'somebody tries passwords',
      raises: { AlderLimitsHit: within(60) },
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

export const failuresOf = (scene: Scene): Failure[] => [
  ...processes(scene),
  ...databases(scene),
  ...jobs(scene),
  ...outside(scene),
]
