import type { Context } from 'hono'
import { passkeyOptions, passkeyRequest, passkeySignInRequest, security, signInResponse } from '#contract/identity.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { ownOrigin } from '#server/platform/http/origin.ts'
import { countAddress } from '#server/platform/http/rate-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { clientOf, writeEntry } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { beginPasskey, finishPasskey } from '#server/identity/passkeys/passkeys-new.ts'
import { beginPasskeySignIn, signInWithPasskey } from '#server/identity/passkeys/passkeys-sign-in.ts'
import { type RelyingParty, requireRelyingParty } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { removePasskey } from '#server/identity/passkeys/passkeys.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { securityOf } from '#server/identity/routes/security.ts'
import { changerOf } from '#server/identity/routes/two-factor-routes.ts'

/** The limit of anonymous passkey challenges per address. The sign-in page requests one each time it opens. */
const CHALLENGES = { name: 'passkey', points: 120, seconds: 60 }

/**
 * Returns the relying party for the request's host. Throws Refusal `passkey_unavailable` if the browser reaches the bank by an
 * IP address.
 */
function partyOf(c: Context<ApiEnv>): RelyingParty {
  return requireRelyingParty(ownOrigin(c.env.incoming, c.get('deps').config))
}

export const passkeyRoutes = routes('Identity')
  // The customer confirms their identity here, before the browser creates a passkey. The options contain a one-time token that
  // works only in this session, so `POST /passkeys` needs no second confirmation.
  .post(
    '/passkeys/options',
    {
      tag: 'Security',
      key: 'none',
      refuses: ['passkey_unavailable'],
      summary: 'Begin to create a passkey',
      parameters: [stepUpParameter],
      response: passkeyOptions,
      responseDescription: 'The options for the browser’s credential API',
    },
    async (c) => {
      const party = partyOf(c.http)
      await requireStepUp(c.http)
      return await beginPasskey(c.deps, changerOf(c.http), party)
    },
  )
  .post(
    '/passkeys',
    {
      tag: 'Security',
      key: 'none',
      refuses: ['passkey_refused', 'passkey_unavailable', 'passkeys_full', 'step_ended'],
      summary: 'Store a passkey that the browser has created',
      body: passkeyRequest,
      response: security,
      responseDescription: 'The security settings of the account',
    },
    async (c) => {
      const deps = c.deps
      await finishPasskey(deps, { ...changerOf(c.http), party: partyOf(c.http) }, c.body)
      return await securityOf(deps, c.customer.id)
    },
  )
  .delete(
    '/passkeys/{id}',
    {
      tag: 'Security',
      summary: 'Remove a passkey',
      parameters: [stepUpParameter],
      response: security,
      responseDescription: 'The security settings of the account',
    },
    async (c) => {
      await requireStepUp(c.http)
      await removePasskey(c.deps, changerOf(c.http), c.params.id)
      return await securityOf(c.deps, c.customer.id)
    },
  )
  .post(
    '/session/passkey/options',
    {
      caller: 'anybody',
      key: 'none',
      refuses: ['passkey_unavailable'],
      summary: 'Begin to sign in with a passkey',
      response: passkeyOptions,
      responseDescription: 'The options for the browser’s credential API',
    },
    async (c) => {
      const party = partyOf(c.http)
      await countAddress(c.http, CHALLENGES)
      return await beginPasskeySignIn(c.deps, party)
    },
  )
  .post(
    '/session/passkey',
    {
      caller: 'anybody',
      key: 'none',
      refuses: ['passkey_unknown', 'passkey_refused', 'passkey_unavailable', 'step_ended'],
      summary: 'Sign in with a passkey',
      description: 'A passkey counts as both factors and works while the password is locked.',
      body: passkeySignInRequest,
      response: signInResponse,
      responseDescription: 'Signed in',
    },
    async (c) => {
      const deps = c.deps
      const { customer, entry } = await signInWithPasskey(deps, clientOf(c.http), partyOf(c.http), c.body)
      writeEntry(c.http, entry)
      return { status: 'signed_in' as const, me: meOf(deps, customer) }
    },
  )
