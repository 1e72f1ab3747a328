import type { Transaction } from 'kysely'
import { z } from 'zod'
import { directionOf } from '#contract/languages.ts'
import { noticePath } from '#contract/notices.ts'
import { wordsOfNotice } from '#contract/render-notice.ts'
import { parseNotice } from '#contract/parse-notice.ts'
import type { PushMessage } from '#contract/push.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

/** The number of attempts for a message. The wait before each retry is four times as long as the previous wait. */
const MAX_TRIES = 3
const RETRY_MS = 15_000

/**
 * The number of failures in a row after which a browser gets no messages for a while. The pause doubles with each further
 * failure.
 */
const FAILURES_ALLOWED = 3
const PAUSE_MS = 60_000
const MAX_PAUSE_MS = 6 * 60 * 60_000
/** The number of failures in a row after which the subscription is deleted. The browser has then failed for days. */
const MAX_FAILURES = 20

const payload = z.object({ noticeId: z.uuid(), subscriptionId: z.uuid(), tries: z.int() })
type Payload = z.infer<typeof payload>

/**
 * Returns the queue of a subscription. A queue runs its jobs one after the other. The last two digits of the customer's id
 * select one of 256 queues, so a slow browser delays few other customers. Subscriptions that failed or were slow share one
 * queue.
 */
const queueOf = ({ customer_id, failures }: { customer_id: string; failures: number }): string =>
  failures > 0 ? `${NAME}.failing` : `${NAME}.${customer_id.slice(-2)}`

const NAME = 'notifications.push'

/**
 * Queues these notices for the browsers of their customers when the SQL transaction commits. A paused subscription gets no job,
 * because other jobs in its queue would wait behind that job.
 */
export async function enqueuePushes(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  notices: readonly { id: string; customerId: string }[],
): Promise<void> {
  const subscriptions = await trx
    .selectFrom('bank.push_subscription')
    .select(['id', 'customer_id', 'failures'])
    .where(
      'customer_id',
      'in',
      notices.map(({ customerId }) => customerId),
    )
    .where(({ eb, or }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', clock.realNow())]))
    .execute()
  for (const { id: noticeId, customerId } of notices) {
    for (const subscription of subscriptions.filter(({ customer_id }) => customer_id === customerId)) {
      const job = { noticeId, subscriptionId: subscription.id, tries: 1 }
      await enqueue(trx, pushJob, job, { key: keyOf(job), queue: queueOf(subscription) })
    }
  }
}

const keyOf = ({ noticeId, subscriptionId }: Payload): string => `${NAME}:${noticeId}:${subscriptionId}`

type DeliverDeps = Pick<Deps, 'db' | 'clock' | 'push' | 'translations' | 'log'>

/**
 * Selects an unread notice and its subscription. Returns undefined if either no longer exists, the notice was read, or the
 * customer has closed their account.
 */
function selectPush({ db }: Pick<Deps, 'db'>, { noticeId, subscriptionId }: Payload) {
  return db
    .selectFrom('bank.push_subscription as p')
    .innerJoin('bank.notification as n', 'n.customer_id', 'p.customer_id')
    .innerJoin('bank.customer as c', 'c.id', 'p.customer_id')
    .select(['p.customer_id', 'p.endpoint', 'p.p256dh', 'p.auth', 'p.failures', 'p.retry_at'])
    .select(['n.id', 'n.kind', 'n.params', 'c.language'])
    .where('p.id', '=', subscriptionId)
    .where('n.id', '=', noticeId)
    .where('n.read_at', 'is', null)
    .where('c.closed_at', 'is', null)
    .executeTakeFirst()
}

type Push = NonNullable<Awaited<ReturnType<typeof selectPush>>>

function messageOf({ translations }: Pick<Deps, 'translations'>, push: Push): PushMessage | null {
  const content = parseNotice(push)
  if (!content) return null
  const translator = translations.in(push.language)
  const { title, message } = wordsOfNotice(content, translator)
  return {
    id: push.id,
    title,
    body: message,
    path: noticePath(content) ?? '/notifications',
    language: translator.language,
    direction: directionOf(translator.language),
  }
}

/**
 * Sends one notice to one browser. Does not throw if the browser's push service fails, because only this customer is concerned.
 */
export async function deliverPush(deps: DeliverDeps, job: Payload): Promise<void> {
  const push = await selectPush(deps, job)
  const message = push && messageOf(deps, push)
  if (!push || !message) return
  const now = deps.clock.realNow()
  if (push.retry_at && push.retry_at > now) return
  const { endpoint, p256dh, auth } = push
  const outcome = await deps.push.send({ endpoint, keys: { p256dh, auth } }, message)
  const subscription = { id: job.subscriptionId, failures: push.failures }
  // A slow success holds up a worker, so it counts as a failure.
  if (outcome.result === 'taken')
    return outcome.slowly ? noteFailure(deps, subscription) : noteSuccess(deps, subscription)
  if (outcome.result === 'gone') return forget(deps, job.subscriptionId)
  await noteFailure(deps, subscription)
  if (outcome.result === 'refused' || job.tries >= MAX_TRIES) return
  const delayMs = outcome.retryAfterMs ?? RETRY_MS * 4 ** (job.tries - 1)
  const retriedJob = { ...job, tries: job.tries + 1 }
  const retryAt = new Date(deps.clock.businessNow().getTime() + delayMs)
  await enqueue(deps.db, pushJob, retriedJob, {
    at: retryAt,
    key: `${keyOf(job)}:${retriedJob.tries}`,
    queue: queueOf({ ...push, failures: 1 }),
  })
}

type RecentSubscription = { id: string; failures: number }

async function noteSuccess({ db }: DeliverDeps, { id, failures }: RecentSubscription): Promise<void> {
  if (failures === 0) return
  await db.updateTable('bank.push_subscription').set({ failures: 0, retry_at: null }).where('id', '=', id).execute()
}

async function noteFailure(deps: DeliverDeps, { id, failures }: RecentSubscription): Promise<void> {
  const failed = failures + 1
  if (failed >= MAX_FAILURES) return forget(deps, id)
  const pauseMs = Math.min(PAUSE_MS * 2 ** (failed - FAILURES_ALLOWED), MAX_PAUSE_MS)
  const retry_at = failed < FAILURES_ALLOWED ? null : new Date(deps.clock.realNow().getTime() + pauseMs)
  await deps.db.updateTable('bank.push_subscription').set({ failures: failed, retry_at }).where('id', '=', id).execute()
}

async function forget({ db, log }: DeliverDeps, id: string): Promise<void> {
  await db.deleteFrom('bank.push_subscription').where('id', '=', id).execute()
  log.info({ subscription: id }, 'a browser no longer accepts notices')
}

export const pushJob = defineJob({ name: NAME, payload, apart: true, leaves: 'push', work: deliverPush })
