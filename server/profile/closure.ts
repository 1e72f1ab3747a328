import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { closeAccounts } from '#server/ledger/accounts.ts'
import { sendMail } from '#server/mail/service.ts'

/**
 * Closes a customer's account. Afterwards no sign-in works, and their email and phone are free for new customers. The bank
 * keeps the data that it must keep (docs/decisions/0008). Throws Refusal `balance_not_zero` while one of their accounts has
 * money, a hold (for example for an unclaimed payment) or a payment on its way to it.
 */
export async function closeCustomer(
  deps: Pick<Deps, 'db' | 'clock' | 'slices'>,
  customer: Customer,
  caller: Caller,
): Promise<void> {
  const { id } = customer
  await inTransaction(deps.db, async (trx) => {
    const closedCustomer = await trx
      .updateTable('bank.customer')
      .set({ closed_at: deps.clock.businessNow(), email_confirmed_at: null, phone_confirmed_at: null })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    // If no row was updated, the customer closed the account a moment ago on another device.
    if (!closedCustomer) throw new Refusal('sign_in_required')
    for (const slice of deps.slices) await slice.closeCustomer?.(trx, id)
    await recordSecurityEvent(deps, trx, { customerId: id, kind: 'account_closed', caller })
    const { email, fullName } = customer
    const params = { fullName, device: caller.device }
    if (customer.emailConfirmed)
      await sendMail(deps, trx, { to: email, customerId: id, kind: 'account_closed', params })
    // The accounts come last, because payments to the customer wait for these locks.
    if (!(await closeAccounts(runIn(trx), id))) throw new Refusal('balance_not_zero')
  })
}
