import type { Context } from 'hono'
import { passkeyOptions, passkeyRequest, passkeySignInRequest, signInResponse } from '#contract/identity.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { ownOrigin } from '#server/platform/http/origin.ts'
import { countAddress } from '#server/platform/http/rate-limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { clientOf, writeEntry } from '#server/identity/access/session.ts'
import { requireStepUp, stepUpParameter } from '#server/identity/access/step-up.ts'
import { beginPasskey, finishPasskey } from '#server/identity/passkeys/passkeys-new.ts'
import { beginPasskeySignIn, signInWithPasskey } from '#server/identity/passkeys/passkeys-sign-in.ts'
import { type RelyingParty, requireRelyingParty } from '#server/identity/passkeys/passkeys-webauthn.ts'
import { removePasskey } from '#server/identity/passkeys/passkeys.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { securityOf, securityResponse } from '#server/identity/routes/security.ts'
import { changerOf } from '#server/identity/routes/two-factor-routes.ts'
import { idParam } from '#server/platform/http/id-param.ts'

/** Challenges one address may ask for without saying who it is: the sign-in page asks for one each time it opens. */
const CHALLENGES = { name: 'passkey', points: 120, seconds: 60 }

const tags = ['Security']
const optionsResponse = {
  description: 'What the browser’s credential API is given',
  content: { 'application/json': { schema: passkeyOptions } },
}

const beginNew = defineRoute({
  method: 'post',
  path: '/passkeys/options',
  needs: { key: 'none' },
  summary: 'Begin to make a passkey',
  tags,
  parameters: [stepUpParameter],
  responses: { 200: optionsResponse },
})

const finishNew = defineRoute({
  method: 'post',
  path: '/passkeys',
  needs: { key: 'none' },
  summary: 'Keep a passkey that the browser has made',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: passkeyRequest } } } },
  responses: { 200: securityResponse },
})

const remove = defineRoute({
  method: 'delete',
  path: '/passkeys/{id}',
  summary: 'Forget a passkey',
  tags,
  parameters: [stepUpParameter],
  request: { params: idParam },
  responses: { 200: securityResponse },
})

const beginSignIn = defineRoute({
  method: 'post',
  path: '/session/passkey/options',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Begin to sign in with a passkey',
  tags: ['Identity'],
  responses: { 200: optionsResponse },
})

const finishSignIn = defineRoute({
  method: 'post',
  path: '/session/passkey',
  needs: { caller: 'anybody', key: 'none' },
  summary: 'Sign in with a passkey',
  description: 'It counts as both factors, and works while the password is locked.',
  tags: ['Identity'],
  request: { body: { required: true, content: { 'application/json': { schema: passkeySignInRequest } } } },
  responses: { 200: { description: 'Signed in', content: { 'application/json': { schema: signInResponse } } } },
})

/** Throws Refusal `passkey_unavailable` where the browser reaches the bank by a number. */
function partyOf(c: Context<ApiEnv>): RelyingParty {
  return requireRelyingParty(ownOrigin(c.env.incoming, c.get('deps').config))
}

export const passkeyRoutes = router()
  // The proof is asked for before the browser makes a passkey; its one-time token is this session's alone.
  .openapi(beginNew, async (c) => {
    const party = partyOf(c)
    await requireStepUp(c)
    return c.json(await beginPasskey(c.get('deps'), changerOf(c), party), 200)
  })
  .openapi(finishNew, async (c) => {
    const deps = c.get('deps')
    await finishPasskey(deps, { ...changerOf(c), party: partyOf(c) }, c.req.valid('json'))
    return c.json(await securityOf(deps, c.get('customer').id), 200)
  })
  .openapi(remove, async (c) => {
    await requireStepUp(c)
    await removePasskey(c.get('deps'), changerOf(c), c.req.valid('param').id)
    return c.json(await securityOf(c.get('deps'), c.get('customer').id), 200)
  })
  .openapi(beginSignIn, async (c) => {
    const party = partyOf(c)
    await countAddress(c, CHALLENGES)
    return c.json(await beginPasskeySignIn(c.get('deps'), party), 200)
  })
  .openapi(finishSignIn, async (c) => {
    const deps = c.get('deps')
    const { customer, entry } = await signInWithPasskey(deps, clientOf(c), partyOf(c), c.req.valid('json'))
    writeEntry(c, entry)
    return c.json({ status: 'signed_in' as const, me: meOf(deps, customer) }, 200)
  })
