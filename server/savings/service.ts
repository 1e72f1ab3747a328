import type { GoalIcon } from '#contract/accounts.ts'
import type { Asset } from '#contract/money.ts'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId, Booked, Detail, Operation } from '#server/ledger/types.ts'

export type NewGoal = { name: string; icon: GoalIcon; targetMinor: number }

export type Goal = NewGoal & {
  id: string
  accountId: AccountId
  asset: Asset
  /** What the goal's account holds. */
  savedMinor: number
}

type MadeGoal = Omit<Goal, 'savedMinor'>

/** Opens goals at the end of a customer's list, in the order given, each with an empty dollar account of its own. */
export async function createGoals(deps: Pick<Deps, 'db'>, customerId: string, goals: NewGoal[]): Promise<MadeGoal[]> {
  return inTransaction(deps.db, (trx) => createGoalsWithin(trx, customerId, goals))
}

/** The same inside the caller's own SQL transaction. */
export async function createGoalsWithin(
  trx: Transaction<Database>,
  customerId: string,
  goals: NewGoal[],
): Promise<MadeGoal[]> {
  // Two goals made at once take their places one after the other.
  await trx.selectFrom('bank.customer').select('id').where('id', '=', customerId).forNoKeyUpdate().execute()
  const last = await trx
    .selectFrom('bank.goal')
    .select(({ fn }) => fn.max('place').as('place'))
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  const first = (last?.place ?? -1) + 1
  const asset = 'USD'
  const accountIds = await openAccounts(
    runIn(trx),
    goals.map(() => ({ holderId: customerId, code: 'savings', asset })),
  )
  const rows = await trx
    .insertInto('bank.goal')
    .values(
      goals.map((goal, index) => ({
        customer_id: customerId,
        account_id: accountIds[index] as AccountId,
        name: goal.name,
        icon: goal.icon,
        target_minor: goal.targetMinor,
        asset,
        place: first + index,
      })),
    )
    .returningAll()
    .execute()
  return rows.map(toGoal)
}

/** A customer's goals with what each holds, in the customer's order. */
export async function goalsOf(deps: Pick<Deps, 'db'>, customerId: string): Promise<Goal[]> {
  const rows = await deps.db
    .selectFrom('bank.goal')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('place')
    .execute()
  if (rows.length === 0) return []
  const accounts = await accountsById(
    runIn(deps.db),
    rows.map((row) => row.account_id),
  )
  const balances = new Map(accounts.map((account) => [account.id, account.balanceMinor]))
  return rows.map((row) => Object.assign(toGoal(row), { savedMinor: balances.get(row.account_id) ?? 0 }))
}

type GoalMove = {
  id: string
  fingerprint: string
  from: AccountId
  to: AccountId
  goalName: string
  amountMinor: number
  bookedAt: Date
}

/** The operation that moves money between a customer's current account and one of their goals, either way. */
export function goalMoveOperation(move: GoalMove): Operation {
  const { goalName } = move
  const detail: Detail = { debitName: goalName, creditName: goalName, category: 'savings', method: 'own_accounts' }
  return {
    id: move.id,
    kind: 'savings.move',
    fingerprint: move.fingerprint,
    bookedAt: move.bookedAt,
    legs: [{ kind: 'transfer', debit: move.from, credit: move.to, amountMinor: move.amountMinor, detail }],
  }
}

type MoveToGoal = { id: string; fingerprint: string; goalId: string; amountMinor: number }

/**
 * Adds to a goal from the customer's current account, at once. `amountMinor` is US cents.
 * Throws Refusal `not_found` for a goal that is not the customer's, and what the ledger refuses.
 */
export async function moveToGoal(
  deps: Pick<Deps, 'db' | 'ledger' | 'clock'>,
  customer: { id: string; currentAccountId: AccountId },
  move: MoveToGoal,
): Promise<Booked> {
  const goal = await deps.db
    .selectFrom('bank.goal')
    .select(['account_id', 'name'])
    .where('id', '=', move.goalId)
    .where('customer_id', '=', customer.id)
    .executeTakeFirst()
  if (!goal) throw new Refusal('not_found')
  return deps.ledger.post(
    goalMoveOperation({
      id: move.id,
      fingerprint: move.fingerprint,
      from: customer.currentAccountId,
      to: goal.account_id,
      goalName: goal.name,
      amountMinor: move.amountMinor,
      bookedAt: deps.clock.businessNow(),
    }),
  )
}

type GoalRow = {
  id: string
  account_id: AccountId
  name: string
  icon: GoalIcon
  target_minor: number
  asset: Asset
}

function toGoal(row: GoalRow): MadeGoal {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    icon: row.icon,
    targetMinor: row.target_minor,
    asset: row.asset,
  }
}
