import { dropEmailChange } from '#server/identity/email/email-change.ts'
import { recordFailureJob } from '#server/identity/passwords/password-locks.ts'
import { mailLinkJob } from '#server/identity/passwords/password-reset.ts'
import { passkeysOf } from '#server/identity/passkeys/passkeys.ts'
import { currentSessionRoutes } from '#server/identity/routes/current-session.ts'
import { purgeJob } from '#server/identity/purge.ts'
import { deviceRoutes } from '#server/identity/routes/device-routes.ts'
import { passkeyRoutes } from '#server/identity/routes/passkeys-routes.ts'
import { httpRequestRoutes } from '#server/identity/routes/http-request-routes.ts'
import { identityRoutes, type IdentityOptions } from '#server/identity/routes/routes.ts'
import { securityRoutes } from '#server/identity/routes/security.ts'
import { stepUpRoutes } from '#server/identity/routes/step-up-routes.ts'
import { twoFactorRoutes } from '#server/identity/routes/two-factor-routes.ts'
import { deleteCredentials } from '#server/identity/sessions/delete-credentials.ts'
import { knownDevicesOf, notifyNewDeviceJob } from '#server/identity/sessions/known-devices.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import { devicesOf, openSessionQueue } from '#server/identity/sessions/sessions.ts'
import { greetJob } from '#server/identity/sign-in/sign-up.ts'
import { secretName } from '#server/identity/two-factor/two-factor-code.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import type { Core, Deps } from '#server/platform/deps.ts'
import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { withPool } from '#server/platform/db/pools.ts'
import { purgeRequestsJob } from '#server/platform/idempotency.ts'
import { openOperations } from '#server/identity/access/operations.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openIdentity = (core: Core) => ({
  sessions: openSessionQueue(withPool(core, 'payments')),
  operations: openOperations(core),
})

/** The slice of customers, their credentials and their sessions. */
export const identity = defineSlice({
  name: 'identity',
  routes: (deps: Deps, options: IdentityOptions) =>
    identityRoutes(deps, options)
      .mount(currentSessionRoutes)
      .mount(twoFactorRoutes)
      .mount(passkeyRoutes)
      .mount(stepUpRoutes)
      .mount(securityRoutes)
      .mount(deviceRoutes)
      .mount(httpRequestRoutes),
  jobs: [greetJob, mailLinkJob, recordFailureJob, purgeJob, purgeRequestsJob, notifyNewDeviceJob],
  flush: async ({ sessions, operations }) => void (await Promise.all([sessions.used.close(), operations.flush()])),
  liveEvents: ['session', 'change'],
  securityEvents: [
    'signed_up',
    'signed_in_with_password',
    'signed_in_with_passkey',
    'signed_in_with_biometric',
    'signed_in_with_recovery_code',
    'sign_in_failed',
    'password_locked',
    'codes_locked',
    'signed_out',
    'device_signed_out',
    'other_devices_signed_out',
    'password_reset_asked',
    'password_changed',
    'email_confirmed',
    'email_change_asked',
    'email_changed',
    'passkey_added',
    'passkey_removed',
    'passkey_counter',
    'two_factor_on',
    'two_factor_off',
    'recovery_codes_made',
    'proof_given',
    'proof_refused',
    'phone_confirmed',
    'phone_lost',
  ],
  exportOf: (deps, { customerId, session }) => ({
    devices: () => devicesOf(deps, customerId, session),
    knownDevices: () => knownDevicesOf(deps, customerId),
    // The credential id means nothing to the customer, and other people must not read it.
    passkeys: async () =>
      (await passkeysOf(deps, customerId)).map(({ credentialId: _credentialId, ...passkey }) => passkey),
    twoFactor: () => hasTwoFactor(deps.db, customerId),
    securityEvents: everyPage(
      (before: number | null) => securityEventsOf(deps, customerId, { before, limit: PAGE_SIZE }),
      (event) => Number(event.id),
    ),
  }),
  sealed: [
    {
      table: 'bank.two_factor',
      key: 'customer_id',
      column: 'secret',
      nameOf: (row) => secretName(row['customer_id'] ?? ''),
    },
  ],
  closeCustomer: async (trx, customerId) => {
    await dropEmailChange(trx, customerId)
    await deleteCredentials(trx, customerId)
  },
})
