import { pushRenewal, pushState, pushSubscription } from '#contract/push.ts'
import { countCustomer } from '#server/identity/access/limit.ts'
import { routes } from '#server/identity/access/route.ts'
import { isSubscribed, renew, subscribe, unsubscribe } from '#server/notifications/push/subscriptions.ts'

/** Each is an address on the internet that the bank will send to. */
const SUBSCRIPTIONS = { name: 'push', points: 20, seconds: 60 * 60 }

export const pushRoutes = routes('Notifications')
  .get(
    '/push',
    {
      summary: 'Whether this browser shows your notices while the app is closed',
      response: pushState,
      responseDescription: 'Whether it does, and the key to subscribe with',
    },
    async (c) => {
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      const on = await isSubscribed(deps, { customerId, session })
      return { publicKey: deps.push.publicKey, on }
    },
  )
  .post(
    '/push',
    {
      key: 'none',
      proof: true,
      summary: 'Have this browser show your notices while the app is closed',
      description:
        'Web push (RFC 8030) with messages that only the browser can read (RFC 8291). It asks for a fresh proof, because whoever holds the browser goes on reading after the session has run out.',
      body: pushSubscription,
      response: pushState,
      responseDescription: 'It does now',
    },
    async (c) => {
      await countCustomer(c.http, SUBSCRIPTIONS)
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      await subscribe(deps, { customerId, session }, c.body)
      return { publicKey: deps.push.publicKey, on: true }
    },
  )
  .post(
    '/push/renewal',
    {
      key: 'none',
      summary: 'Say that this browser still has its subscription',
      description:
        'Where it was made for another customer it ends. Push services give browsers new addresses: one that names the address it had before goes on with the new one.',
      body: pushRenewal,
      response: pushState,
      responseDescription: 'Whether it is yours',
    },
    async (c) => {
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      const on = await renew(deps, { customerId, session }, c.body)
      return { publicKey: deps.push.publicKey, on }
    },
  )
  .delete(
    '/push',
    { summary: 'Have this browser show nothing any more', response: pushState, responseDescription: 'It does not' },
    async (c) => {
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      await unsubscribe(deps, { customerId, session })
      return { publicKey: deps.push.publicKey, on: false }
    },
  )
