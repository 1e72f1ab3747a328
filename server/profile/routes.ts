import { dayOf } from '#server/calendar/zone.ts'
import { z } from '@hono/zod-openapi'
import { transactionsHeader } from '#contract/file-progress.ts'
import { closureRequest, preferenceChange, profile, profileChange } from '#contract/profile.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { limitConcurrencyUntilRead } from '#server/platform/http/concurrency-limit.ts'
import { clearSessionCookie } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { readDetails } from '#server/profile/details.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { fromReplica } from '#server/platform/db/replica.ts'
import { runIn } from '#server/platform/db/run.ts'
import { sendFile } from '#server/platform/http/route-bodies.ts'
import { exportOf } from '#server/profile/export.ts'
import { changePreferences, changeProfile, movesContact, readProfile } from '#server/profile/service.ts'

/** The hourly limit of email changes per customer. Each change mails an address of the customer's choice. */
const EMAIL_CHANGES = { name: 'email-change', points: 10, seconds: 60 * 60 }

/** The hourly limit of changes per customer. Each change is recorded permanently. */
const CHANGES = { name: 'profile-change', points: 60, seconds: 60 * 60 }

/** The hourly limit of exports per customer. Each export reads everything that the bank holds about the customer. */
const EXPORTS = { name: 'export', points: 20, seconds: 60 * 60 }

export const profileRoutes = routes('Profile')
  .get(
    '/profile',
    { summary: 'Your details and preferences', response: profile, responseDescription: 'The current profile' },
    (c) => readProfile(c.deps, c.customer.id),
  )
  .patch(
    '/profile',
    {
      refuses: ['name_invalid'],
      summary: 'Change your details',
      description:
        'A missing field stays as it is. A new email takes effect after the link in a mail to each of the two addresses was opened. Sending the present email withdraws the change. A change of email or phone requires a fresh proof.',
      parameters: [stepUpParameter],
      body: profileChange,
      response: profile,
      responseDescription: 'The changed profile',
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
      summary: 'Choose your notices and your language',
      description:
        'Without `notifications` you get notices only about your security and identity. Without `transactionAlerts` you get none about payments.',
      body: preferenceChange,
      response: profile,
      responseDescription: 'The changed profile',
    },
    (c) => changePreferences(c.deps, c.customer.id, c.body),
  )
  .get(
    '/profile/export',
    {
      load: 'slow',
      leavesRows: true,
      summary: 'Everything the bank holds about you',
      description:
        'Returns a file. Digests, keys and the tokens of links are left out, because they could give access.',
      parameters: [stepUpParameter],
      response: z.string().openapi({ type: 'string', format: 'binary' }),
      responseDescription: 'The complete data',
    },
    async (c) => {
      await requireStepUp(c.http)
      await countCustomer(c.http, EXPORTS)
      await limitConcurrencyUntilRead(c.http, 'exports', c.customer.id)
      const [customer, session] = [c.customer, c.session]
      const event = { customerId: customer.id, kind: 'data_downloaded', caller: callerOf(c.http) } as const
      await recordSecurityEvent(c.deps, c.deps.db, event)
      const deps = await fromReplica(c.deps)
      // An account's version is its number of entries.
      const accounts = await accountsOf(runIn(deps.db), customer.id)
      const transactions = accounts.reduce((sum, { version }) => sum + version, 0)
      const content = exportOf(deps, { customerId: customer.id, session })
      const about = {
        mediaType: 'application/json',
        name: 'alder-data.json',
        headers: transactionsHeader(transactions),
      }
      const file = sendFile(c.http, { content, ...about })
      // The stream has the type of one JSON value here. That value never exists in memory.
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
      summary: 'Close your account permanently',
      description: 'Requires that your accounts are empty and that no money is on its way.',
      parameters: [stepUpParameter],
      body: closureRequest,
    },
    async (c) => {
      await requireStepUp(c.http)
      await closeCustomer(c.deps, c.customer, callerOf(c.http))
      clearSessionCookie(c.http)
    },
  )
