import { type Security, security } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { routes } from '#server/identity/access/route.ts'
import { passkeysOf } from '#server/identity/passkeys/passkeys.ts'
import { countRecoveryCodes } from '#server/identity/two-factor/recovery-codes.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'

/** Returns a customer's credentials and security settings. */
export async function securityOf({ db, policy }: Pick<Deps, 'db' | 'policy'>, customerId: string): Promise<Security> {
  const [customer, passkeys, twoFactor, recoveryCodesLeft] = await Promise.all([
    db
      .selectFrom('bank.customer')
      .select(['password_hash', 'biometric_login', 'transaction_alerts'])
      .where('id', '=', customerId)
      .executeTakeFirstOrThrow(),
    passkeysOf({ db }, customerId),
    hasTwoFactor(db, customerId),
    countRecoveryCodes(db, customerId),
  ])
  return {
    hasPassword: customer.password_hash !== null,
    passkeys,
    biometricLogin: passkeys.length > 0 || (policy.biometricWithoutPasskey && customer.biometric_login),
    twoFactor,
    recoveryCodesLeft,
    transactionAlerts: customer.transaction_alerts,
    stepUp: policy.stepUp === 'always' || twoFactor,
  }
}

export const securityRoutes = routes('Security').get(
  '/security',
  {
    summary: 'Your credentials and security settings',
    response: security,
    responseDescription: 'The security settings of the account',
  },
  (c) => securityOf(c.deps, c.customer.id),
)
