import { pushRenewal, pushState, pushSubscription } from '#contract/push.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { isSubscribed, renew, subscribe, unsubscribe } from '#server/notifications/push/subscriptions.ts'
import type { Deps } from '#server/platform/deps.ts'

const tags = ['Notifications']

/** Each is an address on the internet that the bank will send to. */
const SUBSCRIPTIONS = { name: 'push', points: 20, seconds: 60 * 60 }

const stateResponse = (description: string) => ({
  200: { description, content: { 'application/json': { schema: pushState } } },
})

const getPush = defineRoute({
  method: 'get',
  path: '/push',
  summary: 'Whether this browser shows your notices while the app is closed',
  tags,
  responses: stateResponse('Whether it does, and the key to subscribe with'),
})

const postPush = defineRoute({
  method: 'post',
  path: '/push',
  needs: { key: 'none', proof: true },
  summary: 'Have this browser show your notices while the app is closed',
  description:
    'Web push (RFC 8030) with messages that only the browser can read (RFC 8291). It asks for a fresh proof, because whoever holds the browser goes on reading after the session has run out.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: pushSubscription } } } },
  responses: stateResponse('It does now'),
})

const postRenewal = defineRoute({
  method: 'post',
  path: '/push/renewal',
  needs: { key: 'none' },
  summary: 'Say that this browser still has its subscription',
  description:
    'Where it was made for another customer it ends. Push services give browsers new addresses: one that names the address it had before goes on with the new one.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: pushRenewal } } } },
  responses: stateResponse('Whether it is yours'),
})

const deletePush = defineRoute({
  method: 'delete',
  path: '/push',
  summary: 'Have this browser show nothing any more',
  tags,
  responses: stateResponse('It does not'),
})

export function pushRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limited = limitByCustomer({ limiters }, SUBSCRIPTIONS)
  return router()
    .openapi(getPush, async (c) => {
      const [deps, { id: customerId }, session] = [c.get('deps'), c.get('customer'), c.get('session')]
      const on = await isSubscribed(deps, { customerId, session })
      return c.json({ publicKey: deps.push.publicKey, on }, 200)
    })
    .openapi(postPush, async (c) => {
      await limited(c, async () => undefined)
      const [deps, { id: customerId }, session] = [c.get('deps'), c.get('customer'), c.get('session')]
      await subscribe(deps, { customerId, session }, c.req.valid('json'))
      return c.json({ publicKey: deps.push.publicKey, on: true }, 200)
    })
    .openapi(postRenewal, async (c) => {
      const [deps, { id: customerId }, session] = [c.get('deps'), c.get('customer'), c.get('session')]
      const on = await renew(deps, { customerId, session }, c.req.valid('json'))
      return c.json({ publicKey: deps.push.publicKey, on }, 200)
    })
    .openapi(deletePush, async (c) => {
      const [deps, { id: customerId }, session] = [c.get('deps'), c.get('customer'), c.get('session')]
      await unsubscribe(deps, { customerId, session })
      return c.json({ publicKey: deps.push.publicKey, on: false }, 200)
    })
}
