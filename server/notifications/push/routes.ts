import { pushRenewal, pushState, pushSubscription } from '#contract/push.ts'
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'
import {
  isSubscribed,
  renewPushSubscription,
  subscribeToPush,
  unsubscribeFromPush,
} from '#server/notifications/push/subscriptions.ts'

/** The hourly limit of subscriptions. Each is an internet address to which the bank will send. */
const SUBSCRIPTIONS = { name: 'push', points: 20, seconds: 60 * 60 }

export const pushRoutes = routes('Notifications')
  .get(
    '/push',
    {
      summary: 'Whether this browser shows your notices while the app is closed',
      response: pushState,
      responseDescription: 'Whether this browser shows notices, and the key for a subscription',
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
      summary: 'Show your notices in this browser while the app is closed',
      description:
        'Web push (RFC 8030) with messages that only the browser can decrypt (RFC 8291). It requires a fresh proof, because the browser keeps showing notices after the session has expired.',
      body: pushSubscription,
      response: pushState,
      responseDescription: 'This browser shows notices',
    },
    async (c) => {
      await countCustomer(c.http, SUBSCRIPTIONS)
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      await subscribeToPush(deps, { customerId, session }, c.body)
      return { publicKey: deps.push.publicKey, on: true }
    },
  )
  .post(
    '/push/renewal',
    {
      key: 'none',
      summary: "Renew this browser's subscription",
      description:
        'A subscription of another customer ends. Push services sometimes give a browser a new address. A browser that sends its previous address continues with the new one.',
      body: pushRenewal,
      response: pushState,
      responseDescription: 'Whether the subscription is yours',
    },
    async (c) => {
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      const on = await renewPushSubscription(deps, { customerId, session }, c.body)
      return { publicKey: deps.push.publicKey, on }
    },
  )
  .delete(
    '/push',
    {
      summary: 'Stop showing notices in this browser',
      response: pushState,
      responseDescription: 'This browser shows no notices',
    },
    async (c) => {
      const [deps, { id: customerId }, session] = [c.deps, c.customer, c.session]
      await unsubscribeFromPush(deps, { customerId, session })
      return { publicKey: deps.push.publicKey, on: false }
    },
  )
