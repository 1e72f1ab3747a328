import type { Transaction } from 'kysely'
import { z } from 'zod'
import { directionOf } from '#contract/languages.ts'
import { noticePath } from '#contract/notices.ts'
import { wordsOfNotice } from '#contract/notice-words.ts'
import { readNotice } from '#contract/read-notice.ts'
import type { PushMessage } from '#contract/push.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'

/** A message is tried so often, each time some four times later than before. */
const MOST_TRIES = 3
const RETRY_MS = 15_000

/** A browser that fails this often, with no success between, is left alone for a while, longer each time. */
const FAILURES_ALLOWED = 3
const PAUSE_MS = 60_000
const MOST_PAUSE_MS = 6 * 60 * 60_000
/** By then it has failed for days. */
const MOST_FAILURES = 20

const payload = z.object({ noticeId: z.uuid(), subscriptionId: z.uuid(), tries: z.int() })
type Payload = z.infer<typeof payload>

/**
 * Whoever is slow delays themselves: jobs of a queue are done one after the other, and a customer's are all in one.
 * Subscriptions that fail or are slow have one for all of them.
 */
const queueOf = ({ customer_id, failures }: { customer_id: string; failures: number }): string =>
  failures > 0 ? `${NAME}.failing` : `${NAME}.${customer_id.slice(-2)}`

const NAME = 'notifications.push'

/**
 * Has these notices shown by the browsers of their customers, once the SQL transaction commits. What is left alone for now
 * waits in no queue: others would wait behind it.
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

/** A notice that nobody has read yet, and where it is to be shown; undefined where either is no more. */
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
  const content = readNotice(push)
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

/** Sends one notice to one browser. It fails on nobody's account but the customer's, so it does not throw for that. */
export async function deliverPush(deps: DeliverDeps, job: Payload): Promise<void> {
  const push = await selectPush(deps, job)
  const message = push && messageOf(deps, push)
  if (!push || !message) return
  const now = deps.clock.realNow()
  if (push.retry_at && push.retry_at > now) return
  const { endpoint, p256dh, auth } = push
  const outcome = await deps.push.send({ endpoint, keys: { p256dh, auth } }, message)
  const subscription = { id: job.subscriptionId, failures: push.failures }
  // A worker has waited for one that is slow, which must not go on without end.
  if (outcome.result === 'taken')
    return outcome.slowly ? noteFailure(deps, subscription) : noteSuccess(deps, subscription)
  if (outcome.result === 'gone') return forget(deps, job.subscriptionId)
  await noteFailure(deps, subscription)
  if (outcome.result === 'refused' || job.tries >= MOST_TRIES) return
  const delayMs = outcome.retryAfterMs ?? RETRY_MS * 4 ** (job.tries - 1)
  const again = { ...job, tries: job.tries + 1 }
  const at = new Date(deps.clock.businessNow().getTime() + delayMs)
  await enqueue(deps.db, pushJob, again, {
    at,
    key: `${keyOf(job)}:${again.tries}`,
    queue: queueOf({ ...push, failures: 1 }),
  })
}

type Known = { id: string; failures: number }

async function noteSuccess({ db }: DeliverDeps, { id, failures }: Known): Promise<void> {
  if (failures === 0) return
  await db.updateTable('bank.push_subscription').set({ failures: 0, retry_at: null }).where('id', '=', id).execute()
}

async function noteFailure(deps: DeliverDeps, { id, failures }: Known): Promise<void> {
  const failed = failures + 1
  if (failed >= MOST_FAILURES) return forget(deps, id)
  const pauseMs = Math.min(PAUSE_MS * 2 ** (failed - FAILURES_ALLOWED), MOST_PAUSE_MS)
  const retry_at = failed < FAILURES_ALLOWED ? null : new Date(deps.clock.realNow().getTime() + pauseMs)
  await deps.db.updateTable('bank.push_subscription').set({ failures: failed, retry_at }).where('id', '=', id).execute()
}

async function forget({ db, log }: DeliverDeps, id: string): Promise<void> {
  await db.deleteFrom('bank.push_subscription').where('id', '=', id).execute()
  log.info({ subscription: id }, 'a browser takes no more notices')
}

export const pushJob = defineJob({ name: NAME, payload, apart: true, leaves: 'push', work: deliverPush })
