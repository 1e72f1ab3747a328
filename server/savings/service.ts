import { dayBefore } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Asset } from '#contract/money.ts'
import { type GoalIcon, MOST_GOALS, type RoundUpTimes } from '#contract/goals.ts'
import type { Label } from '#contract/wording.ts'
import { type Kysely, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Spare } from '#server/owed/purse.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId, Booked, Detail, Operation } from '#server/ledger/types.ts'

export type NewGoal = {
  name: string
  icon: GoalIcon
  targetMinor: number
  targetOn?: string | null
  lockedUntil?: string | null
}

/** A goal as it is kept. Days are YYYY-MM-DD. */
export type KeptGoal = Required<NewGoal> & {
  id: string
  customerId: string
  accountId: AccountId
  asset: Asset
  /** When it can be withdrawn from although it was locked for longer, business time. */
  unlocksAt: Date | null
  roundUpTimes: RoundUpTimes | null
  monthly: { amountMinor: number; dayOfMonth: number; nextOn: string } | null
  /** Interest that has not been paid, in millionths of a cent. */
  accruedMillionths: number
  closedAt: Date | null
}

export type Goal = KeptGoal & {
  /** What the goal's account holds. */
  savedMinor: number
}

/** Opens goals at the end of a customer's list, in the order given, each with an empty dollar account of its own. */
export async function createGoals(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  goals: NewGoal[],
): Promise<KeptGoal[]> {
  return inTransaction(deps.db, (trx) => createGoalsWithin(deps, trx, customerId, goals))
}

/** The same inside the caller's own SQL transaction. Throws Refusal `goals_full`, and `sign_in_required` for a customer who has closed at this moment. */
export async function createGoalsWithin(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  goals: NewGoal[],
): Promise<KeptGoal[]> {
  // Two goals made at once take their places one after the other.
  await lockOpenCustomer(trx, customerId)
  const { open, last } = await trx
    .selectFrom('bank.goal')
    .select(({ fn }) => [
      fn.max('place').as('last'),
      fn.countAll<number>().filterWhere('closed_at', 'is', null).as('open'),
    ])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  if (open + goals.length > MOST_GOALS) throw new Refusal('goals_full')
  const first = ((last as number | null) ?? -1) + 1
  const asset = 'USD'
  const accountIds = await openAccounts(
    runIn(trx),
    goals.map(() => ({ holderId: customerId, code: 'savings', asset })),
  )
  // The day it is made is the first to earn interest.
  const accruedOn = dayBefore(dayOf(clock.businessNow()))
  const rows = await trx
    .insertInto('bank.goal')
    .values(
      goals.map((goal, index) => ({
        customer_id: customerId,
        account_id: accountIds[index] as AccountId,
        name: goal.name,
        icon: goal.icon,
        target_minor: goal.targetMinor,
        target_on: goal.targetOn ?? null,
        locked_until: goal.lockedUntil ?? null,
        accrued_on: accruedOn,
        asset,
        place: first + index,
      })),
    )
    .returning(['id', 'account_id'])
    .execute()
  return rows.map(({ id, account_id: accountId }, index) => ({
    targetOn: null,
    lockedUntil: null,
    ...(goals[index] as NewGoal),
    id,
    customerId,
    accountId,
    asset,
    unlocksAt: null,
    roundUpTimes: null,
    monthly: null,
    accruedMillionths: 0,
    closedAt: null,
  }))
}

/** A customer's open goals with what each holds, in the customer's order. */
export async function goalsOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<Goal[]> {
  return withSavings(deps, selectGoals(deps.db).where('customer_id', '=', customerId).where('closed_at', 'is', null))
}

/** What the first screen shows of a customer's first open goal, as a part of a larger statement; the goal's account has the money. */
export const selectFirstGoal = (db: Kysely<Database>, customerId: string) =>
  db
    .selectFrom('bank.goal')
    .select(['name', 'icon', 'target_minor as targetMinor', 'asset', 'account_id as accountId'])
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .orderBy('place')
    .limit(1)

/** A customer's goals, open and closed, with what each holds, in the customer's order. */
export async function everyGoalOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<Goal[]> {
  return withSavings(deps, selectGoals(deps.db).where('customer_id', '=', customerId))
}

async function withSavings(deps: Pick<Deps, 'db'>, query: ReturnType<typeof selectGoals>): Promise<Goal[]> {
  const rows = await query.orderBy('place').execute()
  if (rows.length === 0) return []
  const accounts = await accountsById(
    runIn(deps.db),
    rows.map((row) => row.account_id),
  )
  const balances = new Map(accounts.map((account) => [account.id, account.balanceMinor]))
  return rows.map((row) => Object.assign(toGoal(row), { savedMinor: balances.get(row.account_id) ?? 0 }))
}

/** The goals that a customer may withdraw from, and how it reads where the bank does: the last of their list first. */
export async function unlockedGoals(trx: Transaction<Database>, customerId: string, now: Date): Promise<Spare[]> {
  const rows = await selectGoals(trx)
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .orderBy('place', 'desc')
    .execute()
  return rows
    .map(toGoal)
    .filter((goal) => !isLocked(goal, now))
    .map((goal) => ({ accountId: goal.accountId, detail: moveDetail(goal, 'savings.withdrawn') }))
}

/** An open goal of a customer's. Throws Refusal `not_found` for one that is not theirs, and for one that was closed. */
export async function findGoal(db: Kysely<Database>, customerId: string, goalId: string): Promise<KeptGoal> {
  const row = await selectGoals(db)
    .where('id', '=', goalId)
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return toGoal(row)
}

/** The same, which nobody else changes before the SQL transaction ends. */
export async function lockGoal(trx: Transaction<Database>, customerId: string, goalId: string): Promise<KeptGoal> {
  await trx.selectFrom('bank.goal').select('id').where('id', '=', goalId).forNoKeyUpdate().execute()
  return findGoal(trx, customerId, goalId)
}

/** Whether nothing may be withdrawn from a goal. */
export function isLocked({ lockedUntil, unlocksAt }: Pick<KeptGoal, 'lockedUntil' | 'unlocksAt'>, now: Date): boolean {
  return lockedUntil !== null && dayOf(now) < lockedUntil && (unlocksAt === null || now < unlocksAt)
}

type GoalMove = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint'> & {
  current: AccountId
  goal: Pick<KeptGoal, 'accountId' | 'name'>
  /** What the goal's own statement calls it. */
  label: Extract<Label, `savings.${string}`>
  amountMinor: number
  bookedAt: Date
}

/** The operation that moves money between a customer's current account and one of their goals, either way. */
export function goalMoveOperation({ current, goal, label, amountMinor, ...operation }: GoalMove): Operation {
  return {
    ...operation,
    kind: 'savings.move',
    legs: [
      label === 'savings.withdrawn'
        ? { kind: 'transfer', debit: goal.accountId, credit: current, amountMinor, detail: moveDetail(goal, label) }
        : { kind: 'transfer', debit: current, credit: goal.accountId, amountMinor, detail: moveDetail(goal, label) },
    ],
  }
}

/** The current account's line names the goal, the goal's own says what it was. */
export function moveDetail({ name }: Pick<KeptGoal, 'name'>, label: GoalMove['label']): Detail {
  const side = label === 'savings.withdrawn' ? { creditName: name } : { debitName: name }
  return { ...side, label, category: 'savings', method: 'own_accounts' }
}

type Move = { id: string; fingerprint: string; goalId: string; amountMinor: number }
type Saver = { id: string; currentAccountId: AccountId }

/**
 * Adds to a goal from the customer's current account, at once. `amountMinor` is US cents.
 * Throws Refusal `not_found` for a goal that is not the customer's, and what the ledger refuses.
 */
export async function moveToGoal(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock'>,
  customer: Saver,
  { goalId, ...move }: Move,
): Promise<Booked> {
  // One that is closed at this moment has an account that is closed too.
  const goal = await findGoal(deps.db, customer.id, goalId)
  const bookedAt = deps.clock.businessNow()
  const current = customer.currentAccountId
  return deps.ledger.post(goalMoveOperation({ ...move, goal, current, label: 'savings.added', bookedAt }))
}

/**
 * Takes money out of a goal, back to the customer's current account. `amountMinor` is US cents.
 * Throws Refusal `not_found` for a goal that is not the customer's, `goal_locked`, and what the ledger refuses.
 */
export async function moveFromGoal(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock'>,
  customer: Saver,
  { goalId, ...move }: Move,
): Promise<Booked> {
  return deps.ledger.postWithRows({
    customerId: customer.id,
    async operation(trx) {
      const bookedAt = deps.clock.businessNow()
      // Whoever locks it at this moment either comes first, or after the money has left.
      const goal = await lockGoal(trx, customer.id, goalId)
      if (isLocked(goal, bookedAt)) throw new Refusal('goal_locked')
      return goalMoveOperation({
        ...move,
        goal,
        current: customer.currentAccountId,
        label: 'savings.withdrawn',
        bookedAt,
      })
    },
  })
}

function selectGoals(db: Kysely<Database>) {
  return db
    .selectFrom('bank.goal')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('bank.standing_order')
          .select(['id as goal_id', 'amount_minor', 'anchor_on', 'next_on'])
          .where('status', '=', 'active')
          .as('monthly'),
      (join) => join.onRef('monthly.goal_id', '=', 'bank.goal.id'),
    )
    .selectAll('bank.goal')
    .select(['monthly.amount_minor', 'monthly.anchor_on', 'monthly.next_on'])
}

type GoalRow = Awaited<ReturnType<ReturnType<typeof selectGoals>['executeTakeFirstOrThrow']>>

function toGoal(row: GoalRow): KeptGoal {
  const { amount_minor: amountMinor, anchor_on: anchorOn, next_on: nextOn } = row
  return {
    id: row.id,
    customerId: row.customer_id,
    accountId: row.account_id,
    name: row.name,
    icon: row.icon,
    targetMinor: row.target_minor,
    targetOn: row.target_on,
    lockedUntil: row.locked_until,
    unlocksAt: row.unlocks_at,
    roundUpTimes: row.round_up_times as RoundUpTimes | null,
    monthly: amountMinor && anchorOn && nextOn ? { amountMinor, dayOfMonth: Number(anchorOn.slice(8)), nextOn } : null,
    accruedMillionths: row.accrued_millionths,
    closedAt: row.closed_at,
    asset: row.asset,
  }
}
