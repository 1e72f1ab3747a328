import { dayBefore } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import type { Asset } from '#contract/money.ts'
import { type GoalIcon, MAX_GOALS, type RoundUpTimes } from '#contract/goals.ts'
import type { Label } from '#contract/line-texts.ts'
import { type Kysely, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SpareAccount } from '#server/owed/customer-funds.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId, BookedOperation, Detail, Operation } from '#server/ledger/types.ts'

export type NewGoal = {
  name: string
  icon: GoalIcon
  targetMinor: number
  targetOn?: string | null
  lockedUntil?: string | null
}

/** A goal as stored. Days are YYYY-MM-DD. */
export type GoalTerms = Required<NewGoal> & {
  id: string
  customerId: string
  accountId: AccountId
  asset: Asset
  /** The time at which an early unlock takes effect, in business time; null if none is scheduled. */
  unlocksAt: Date | null
  roundUpTimes: RoundUpTimes | null
  monthly: { amountMinor: number; dayOfMonth: number; nextOn: string } | null
  /** Interest that is not paid, in millionths of a cent. */
  accruedMillionths: number
  closedAt: Date | null
}

export type GoalRecord = GoalTerms & {
  /** The balance of the goal's account, in US cents. */
  savedMinor: number
}

/** Adds goals to the end of a customer's list, in the given order, each with its own empty dollar account. */
export async function createGoals(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  goals: NewGoal[],
): Promise<GoalTerms[]> {
  return inTransaction(deps.db, (trx) => createGoalsWithin(deps, trx, customerId, goals))
}

/**
 * Creates goals as `createGoals` does, inside the caller's SQL transaction. Throws Refusal `goals_full`, and `sign_in_required`
 * for a customer who closes at the same moment.
 */
export async function createGoalsWithin(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  goals: NewGoal[],
): Promise<GoalTerms[]> {
  // The lock puts two simultaneous goals in sequence.
  await lockOpenCustomer(trx, customerId)
  const { open, last } = await trx
    .selectFrom('bank.goal')
    .select(({ fn }) => [
      fn.max('place').as('last'),
      fn.countAll<number>().filterWhere('closed_at', 'is', null).as('open'),
    ])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  if (open + goals.length > MAX_GOALS) throw new Refusal('goals_full')
  const first = ((last as number | null) ?? -1) + 1
  const asset = 'USD'
  const accountIds = await openAccounts(
    runIn(trx),
    goals.map(() => ({ holderId: customerId, code: 'savings', asset })),
  )
  // The day of creation is the first day that earns interest.
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

/** Returns a customer's open goals with their balances, in the customer's order. */
export async function goalsOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<GoalRecord[]> {
  return withSavings(deps, selectGoals(deps.db).where('customer_id', '=', customerId).where('closed_at', 'is', null))
}

/**
 * Selects a customer's first open goal for the home screen, as part of a larger statement. The result has no balance: the money
 * is in the goal's account.
 */
export const selectFirstGoal = (db: Kysely<Database>, customerId: string) =>
  db
    .selectFrom('bank.goal')
    .select(['name', 'icon', 'target_minor as targetMinor', 'asset', 'account_id as accountId'])
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .orderBy('place')
    .limit(1)

/** Returns a customer's goals, open and closed, with their balances, in the customer's order. */
export async function everyGoalOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<GoalRecord[]> {
  return withSavings(deps, selectGoals(deps.db).where('customer_id', '=', customerId))
}

async function withSavings(deps: Pick<Deps, 'db'>, query: ReturnType<typeof selectGoals>): Promise<GoalRecord[]> {
  const rows = await query.orderBy('place').execute()
  if (rows.length === 0) return []
  const accounts = await accountsById(
    runIn(deps.db),
    rows.map((row) => row.account_id),
  )
  const balances = new Map(accounts.map((account) => [account.id, account.balanceMinor]))
  return rows.map((row) => Object.assign(toGoal(row), { savedMinor: balances.get(row.account_id) ?? 0 }))
}

/**
 * Returns the goals that are not locked, the last in the customer's list first. Each has the text for the statement line of a
 * withdrawal by the bank.
 */
export async function unlockedGoals(
  trx: Transaction<Database>,
  customerId: string,
  now: Date,
): Promise<SpareAccount[]> {
  const rows = await selectGoals(trx)
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .orderBy('place', 'desc')
    .execute()
  return rows
    .map(toGoal)
    .filter((goal) => !isGoalLocked(goal, now))
    .map((goal) => ({ accountId: goal.accountId, detail: goalMoveDetail(goal, 'savings.withdrawn') }))
}

/** Returns an open goal of a customer. Throws Refusal `not_found` for another customer's goal and for a closed one. */
export async function findGoal(db: Kysely<Database>, customerId: string, goalId: string): Promise<GoalTerms> {
  const row = await selectGoals(db)
    .where('id', '=', goalId)
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return toGoal(row)
}

/** Locks an open goal of a customer until the SQL transaction ends. Throws Refusal `not_found` as `findGoal` does. */
export async function lockGoal(trx: Transaction<Database>, customerId: string, goalId: string): Promise<GoalTerms> {
  await trx.selectFrom('bank.goal').select('id').where('id', '=', goalId).forNoKeyUpdate().execute()
  return findGoal(trx, customerId, goalId)
}

/** Returns whether withdrawals from a goal are blocked. */
export function isGoalLocked(
  { lockedUntil, unlocksAt }: Pick<GoalTerms, 'lockedUntil' | 'unlocksAt'>,
  now: Date,
): boolean {
  return lockedUntil !== null && dayOf(now) < lockedUntil && (unlocksAt === null || now < unlocksAt)
}

type GoalMove = Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint'> & {
  current: AccountId
  goal: Pick<GoalTerms, 'accountId' | 'name'>
  /** The label in the goal's own statement. */
  label: Extract<Label, `savings.${string}`>
  amountMinor: number
  bookedAt: Date
}

/** Returns the operation that moves money between a customer's current account and one of their goals, in either direction. */
export function goalMoveOperation({ current, goal, label, amountMinor, ...operation }: GoalMove): Operation {
  return {
    ...operation,
    kind: 'savings.move',
    legs: [
      label === 'savings.withdrawn'
        ? { kind: 'transfer', debit: goal.accountId, credit: current, amountMinor, detail: goalMoveDetail(goal, label) }
        : {
            kind: 'transfer',
            debit: current,
            credit: goal.accountId,
            amountMinor,
            detail: goalMoveDetail(goal, label),
          },
    ],
  }
}

/** Returns the texts of a move. The current account's line names the goal, and the goal's line has the label. */
export function goalMoveDetail({ name }: Pick<GoalTerms, 'name'>, label: GoalMove['label']): Detail {
  const side = label === 'savings.withdrawn' ? { creditName: name } : { debitName: name }
  return { ...side, label, category: 'savings', method: 'own_accounts' }
}

type Move = { id: string; fingerprint: string; goalId: string; amountMinor: number }
type Saver = { id: string; currentAccountId: AccountId }

/**
 * Adds money to a goal from the customer's current account immediately. `amountMinor` is US cents. Throws Refusal `not_found`
 * for a goal of another customer, and the ledger's refusals.
 */
export async function moveToGoal(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock'>,
  customer: Saver,
  { goalId, ...move }: Move,
): Promise<BookedOperation> {
  // No lock is needed: a goal that closes at this moment closes its account too, and the ledger refuses the move.
  const goal = await findGoal(deps.db, customer.id, goalId)
  const bookedAt = deps.clock.businessNow()
  const current = customer.currentAccountId
  return deps.ledger.post(goalMoveOperation({ ...move, goal, current, label: 'savings.added', bookedAt }))
}

/**
 * Takes money out of a goal, back to the customer's current account. `amountMinor` is US cents. Throws Refusal `not_found` for
 * a goal of another customer, `goal_locked`, and the ledger's refusals.
 */
export async function moveFromGoal(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock'>,
  customer: Saver,
  { goalId, ...move }: Move,
): Promise<BookedOperation> {
  return deps.ledger.postWithRows({
    customerId: customer.id,
    async operation(trx) {
      const bookedAt = deps.clock.businessNow()
      // If the customer locks the goal at the same moment, this lock puts the withdrawal either before or after that.
      const goal = await lockGoal(trx, customer.id, goalId)
      if (isGoalLocked(goal, bookedAt)) throw new Refusal('goal_locked')
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

function toGoal(row: GoalRow): GoalTerms {
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
