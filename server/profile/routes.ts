import { dayOf } from '#server/calendar/zone.ts'
import { z } from '@hono/zod-openapi'
import { saysHowMany } from '#contract/file-progress.ts'
import { closureRequest, preferenceChange, profile, profileChange } from '#contract/profile.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { countCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { shareUntilRead } from '#server/platform/http/share.ts'
import { clearSessionCookie } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { readDetails } from '#server/profile/details.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { runIn } from '#server/platform/db/run.ts'
import { sendFile } from '#server/platform/http/described.ts'
import { exportOf } from '#server/profile/export.ts'
import { changePreferences, changeProfile, movesContact, readProfile } from '#server/profile/service.ts'

/** Each change of the email writes to an address of the customer's choice: so often in an hour for one customer. */
const EMAIL_CHANGES = { name: 'email-change', points: 10, seconds: 60 * 60 }

/** Each change is written down for good: so many in an hour for one customer. */
const CHANGES = { name: 'profile-change', points: 60, seconds: 60 * 60 }

/** Each reads everything that the bank holds about a customer. */
const EXPORTS = { name: 'export', points: 20, seconds: 60 * 60 }

export const profileRoutes = routes('Profile')
  .get(
    '/profile',
    { summary: 'What you told the bank about yourself', response: profile, responseDescription: 'As it stands' },
    (c) => readProfile(c.deps, c.customer.id),
  )
  .patch(
    '/profile',
    {
      refuses: ['name_invalid'],
      summary: 'Change what you told the bank about yourself',
      description:
        'What is left out stays. Another email waits until a link in a mail to each of the two addresses was opened; sending the present one calls that off. A change of email or phone asks for a fresh proof.',
      parameters: [stepUpParameter],
      body: profileChange,
      response: profile,
      responseDescription: 'As it stands now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const today = Temporal.PlainDate.from(dayOf(deps.clock.businessNow()))
      const details = readDetails(c.body, { phone: customer.phone, today })
      if (movesContact(customer, details)) await requireStepUp(c.http)
      await countCustomer(c.http, CHANGES)
      if (details.email !== undefined && details.email !== customer.email) {
        await countCustomer(c.http, EMAIL_CHANGES)
      }
      return await changeProfile(deps, customer, details, callerOf(c.http))
    },
  )
  .patch(
    '/preferences',
    {
      summary: 'Choose what you want to hear of, and in which language',
      description:
        'Without `notifications` the bank tells only of your security and identity; without `transactionAlerts` of everything but money.',
      body: preferenceChange,
      response: profile,
      responseDescription: 'As it stands now',
    },
    (c) => changePreferences(c.deps, c.customer.id, c.body),
  )
  .get(
    '/profile/export',
    {
      load: 'slow',
      leavesRows: true,
      summary: 'Everything the bank holds about you',
      description: 'A file to keep. What would open something (digests, keys, tokens of links) is left out.',
      parameters: [stepUpParameter],
      response: z.string().openapi({ type: 'string', format: 'binary' }),
      responseDescription: 'All of it',
    },
    async (c) => {
      await requireStepUp(c.http)
      await countCustomer(c.http, EXPORTS)
      await shareUntilRead(c.http, 'exports', c.customer.id)
      const [customer, session] = [c.customer, c.session]
      const event = { customerId: customer.id, kind: 'data_downloaded', caller: callerOf(c.http) } as const
      await recordSecurityEvent(c.deps, c.deps.db, event)
      const deps = await fromReplica(c.deps)
      // An account has as many entries as its version says.
      const accounts = await accountsOf(runIn(deps.db), customer.id)
      const transactions = accounts.reduce((sum, { version }) => sum + version, 0)
      const content = exportOf(deps, { customerId: customer.id, session })
      const about = { mediaType: 'application/json', name: 'alder-data.json', headers: saysHowMany(transactions) }
      const file = sendFile(c.http, { content, ...about })
      // Typed as one JSON value, which is never held.
      return file as never
    },
  )
  .post(
    '/profile/closure',
    {
      key: 'none',
      refuses: [
        'balance_not_zero',
        'owes_bank',
        'loan_owed',
        'dispute_undecided',
        'coins_left',
        'units_left',
        'orders_pending',
      ],
      summary: 'Close your account for good',
      description: 'Once all your money is out and none is on its way.',
      parameters: [stepUpParameter],
      body: closureRequest,
    },
    async (c) => {
      await requireStepUp(c.http)
      await closeCustomer(c.deps, c.customer, callerOf(c.http))
      clearSessionCookie(c.http)
    },
  )
