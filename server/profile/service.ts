import { type Updateable } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { languageOf } from '#contract/languages.ts'
import type { PreferenceChange, Profile } from '#contract/profile.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { mailLimitReached } from '#server/mail/mail-limit.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { canSendTexts } from '#server/messages/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { reopenCase } from '#server/kyc/cases/reopen.ts'
import type { ProfileDetails } from '#server/profile/details.ts'
import { askEmailChange, dropEmailChange } from '#server/identity/email/email-change.ts'

type CustomerChange = Updateable<Database['bank.customer']>

/** Returns a customer's details and preferences. */
export async function readProfile(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'policy'>,
  customerId: string,
): Promise<Profile> {
  const row = await selectDetails(deps)
    .leftJoin('bank.email_change', (join) =>
      join
        .onRef('bank.email_change.customer_id', '=', 'bank.customer.id')
        .on('bank.email_change.expires_at', '>', deps.clock.realNow()),
    )
    .select(['bank.customer.email', 'bank.email_change.email as pending_email'])
    .select(['notifications', 'transaction_alerts', 'language'])
    .where('bank.customer.id', '=', customerId)
    .executeTakeFirstOrThrow()
  return {
    fullName: row.full_name,
    email: row.email,
    pendingEmail: row.pending_email,
    phone: row.phone,
    // In a bank where phone numbers need no proof, this field is always true. The stored state would reveal which numbers other
    // customers have.
    phoneConfirmed: deps.policy.contactsConfirmThemselves || row.phone_confirmed_at !== null,
    phoneConfirmable: canSendTexts(deps),
    dateOfBirth: row.date_of_birth,
    address: row.address,
    postcode: row.postcode,
    notifications: row.notifications,
    transactionAlerts: row.transaction_alerts,
    language: row.language === null ? null : languageOf(row.language),
  }
}

function selectDetails({ db }: Pick<Deps, 'db'>) {
  return db
    .selectFrom('bank.customer')
    .select(['full_name', 'phone', 'phone_confirmed_at', 'address', 'postcode', 'date_of_birth'])
}

/** Returns whether a change affects the customer's email or phone. Such a change requires a fresh proof. */
export function movesContact(customer: Pick<Customer, 'email' | 'phone'>, { email, phone }: ProfileDetails): boolean {
  return (email !== undefined && email !== customer.email) || (phone !== undefined && phone !== customer.phone)
}

/**
 * Saves a customer's changes to their details. A new email must first be confirmed (server/identity/email/email-change.ts).
 * Entering the present email withdraws a pending change. A new phone number counts as confirmed at once if the policy allows it
 * and no other customer has confirmed it.
 */
export async function changeProfile(
  deps: Deps,
  customer: Customer,
  details: ProfileDetails,
  caller: Caller,
): Promise<Profile> {
  const mailNew = await mayMailNew(deps, customer, details)
  try {
    await save(deps, { customer, details, caller, mailNew }, deps.policy.contactsConfirmThemselves)
  } catch (error) {
    const { constraint } = error as { constraint?: unknown }
    if (!isUniqueViolation(error) || constraint !== 'customer_phone_key') throw error
    // Another customer confirmed the same number at the same moment.
    await save(deps, { customer, details, caller, mailNew }, false)
  }
  return readProfile(deps, customer.id)
}

/**
 * Returns whether the bank may send a mail to the new email: not if that inbox has reached its daily limit. The change stays
 * pending nevertheless, because earlier links in the inbox remain valid. Throws Refusal `too_many_requests` if the customer has
 * reached their own limit.
 */
async function mayMailNew(deps: Deps, customer: Customer, { email }: ProfileDetails): Promise<boolean> {
  if (email === undefined || email === customer.email) return false
  const reached = await mailLimitReached(deps, { about: 'email_change', to: email, asker: customer.id })
  if (reached === 'asker') throw new Refusal('too_many_requests')
  return reached === null
}

type Change = { customer: Customer; details: ProfileDetails; caller: Caller; mailNew: boolean }

function save(deps: Deps, { customer, details, caller, mailNew }: Change, confirmPhone: boolean): Promise<void> {
  const { id } = customer
  return inTransaction(deps.db, async (trx) => {
    const before = await selectDetails({ db: trx })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    // If there is no row, the customer closed the account a moment ago on another device.
    if (!before) throw new Refusal('sign_in_required')
    const now: CustomerChange = {}
    if (differs(details.fullName, before.full_name)) now.full_name = details.fullName
    if (differs(details.dateOfBirth, before.date_of_birth)) now.date_of_birth = details.dateOfBirth
    if (differs(details.address, before.address)) now.address = details.address
    if (differs(details.postcode, before.postcode)) now.postcode = details.postcode
    if (differs(details.phone, before.phone)) {
      now.phone = details.phone
      const free = confirmPhone && details.phone !== null && !(await isTaken({ db: trx }, details.phone))
      now.phone_confirmed_at = free ? deps.clock.realNow() : null
    }
    if (Object.keys(now).length > 0) {
      await trx.updateTable('bank.customer').set(now).where('id', '=', id).execute()
      await recordSecurityEvent(deps, trx, { customerId: id, kind: 'details_changed', caller })
    }
    // Adding a first date of birth does not change the customer's identity.
    const reborn = now.date_of_birth !== undefined && before.date_of_birth !== null
    if (now.full_name !== undefined || reborn) await reopenCase(deps, trx, id)
    if (details.email === customer.email) await dropEmailChange(trx, id)
    else if (details.email !== undefined)
      await askEmailChange(deps, trx, { customer, email: details.email, caller, mailNew })
  })
}

function differs<Value>(value: Value | undefined, before: Value): value is Value {
  return value !== undefined && value !== before
}

/** Returns whether another customer has confirmed the phone number. */
async function isTaken({ db }: Pick<Deps, 'db'>, phone: string): Promise<boolean> {
  const owner = await db
    .selectFrom('bank.customer')
    .select('id')
    .where('phone', '=', phone)
    .where('phone_confirmed_at', 'is not', null)
    .executeTakeFirst()
  return owner !== undefined
}

/** Saves a customer's choices: notices, biometric sign-in and language. */
export async function changePreferences(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'policy'>,
  customerId: string,
  { notifications, transactionAlerts, biometricLogin, language }: PreferenceChange,
): Promise<Profile> {
  const changes: CustomerChange = {}
  if (notifications !== undefined) changes.notifications = notifications
  if (transactionAlerts !== undefined) changes.transaction_alerts = transactionAlerts
  if (biometricLogin !== undefined) changes.biometric_login = biometricLogin
  if (language !== undefined) changes.language = language
  if (Object.keys(changes).length > 0)
    await deps.db.updateTable('bank.customer').set(changes).where('id', '=', customerId).execute()
  return readProfile(deps, customerId)
}
