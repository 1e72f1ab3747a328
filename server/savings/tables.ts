import type { Generated } from 'kysely'
import type { GoalIcon } from '#contract/accounts.ts'
import type { Asset } from '#contract/money.ts'
import type { AccountId } from '#server/ledger/types.ts'

type GoalTable = {
  id: Generated<string>
  customer_id: string
  account_id: AccountId
  name: string
  icon: GoalIcon
  target_minor: number
  asset: Asset
  /** Where it stands in the customer's list, from 0. */
  place: number
}

export type SavingsTables = { 'bank.goal': GoalTable }
