import type { AuthorizationRow } from '#server/card-scheme/payment.ts'
import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import type { PointsCause } from '#server/rewards/causes.ts'
import { earnPoints } from '#server/rewards/earning.ts'

export type CardPoints = Extract<PointsCause, { kind: 'card' }>

/**
 * The longest delay between a capture's date and its commit, in milliseconds. Within this time, a capture with a later date may
 * be committed earlier.
 */
const LEEWAY_MS = 60_000

type Capture = { operationId: string; customerId: string; amountMinor: number; at: Date }

/** Returns the cause for which the first capture of a payment earns points. */
export const pointsCauseOf = (
  { merchant: name, abroad }: Pick<AuthorizationRow, 'merchant' | 'abroad'>,
  { operationId: causeId, ...capture }: Capture,
): CardPoints => ({ kind: 'card', causeId, ...capture, name, abroad })

/**
 * Returns a page of captures after a place, in the order of insertion. `later` is true for every capture of a payment except
 * its first one.
 */
function capturesAfter({ db }: Pick<Deps, 'db'>, place: number) {
  return db
    .selectFrom('bank.card_capture as c')
    .innerJoin('bank.card_authorisation as p', 'p.id', 'c.authorisation_id')
    .select(['c.place', 'c.operation_id', 'c.amount_minor', 'c.captured_at', 'p.customer_id', 'p.merchant', 'p.abroad'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('bank.card_capture as earlier')
          .select('earlier.place')
          .whereRef('earlier.authorisation_id', '=', 'c.authorisation_id')
          .whereRef('earlier.place', '<', 'c.place'),
      ).as('later'),
    )
    .where('c.place', '>', place)
    .orderBy('c.place')
    .limit(PAGE_SIZE)
    .execute()
}

/** Returns the place of the last capture up to which all points are credited. */
async function sweptCaptures({ db }: Pick<Deps, 'db'>): Promise<number> {
  return (await db.selectFrom('bank.points_sweep').select('swept_captures').executeTakeFirstOrThrow()).swept_captures
}

/** Whether there are captures after the place that `sweptCaptures` returns. */
async function someCaptured({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const laterCaptures = db
    .selectFrom('bank.card_capture')
    .select('place')
    .where('place', '>', await sweptCaptures({ db }))
  return (await laterCaptures.limit(1).execute()).length > 0
}

/**
 * Credits the points of card payments whose server stopped before crediting them. A payment earns once, by its first capture.
 */
async function sweepCaptures(deps: Deps): Promise<void> {
  const { db, clock } = deps
  const settledBefore = clock.businessNow().getTime() - LEEWAY_MS
  const startPlace = await sweptCaptures(deps)
  let sweptUntil = startPlace
  let areSettled = true
  for (let place = startPlace; ;) {
    const captures = await capturesAfter(deps, place)
    await earnPoints(
      deps,
      captures.flatMap(({ customer_id: customerId, captured_at: capturedAt, later: isLaterCapture, ...capture }) =>
        customerId === null || capturedAt === null || isLaterCapture
          ? []
          : [
              pointsCauseOf(capture, {
                operationId: capture.operation_id,
                customerId,
                amountMinor: capture.amount_minor,
                at: capturedAt,
              }),
            ],
      ),
    )
    for (const capture of captures) {
      areSettled &&= (capture.captured_at?.getTime() ?? 0) < settledBefore
      if (areSettled) sweptUntil = capture.place
    }
    const last = captures.at(-1)
    if (!last || captures.length < PAGE_SIZE) break
    place = last.place
  }
  await db.updateTable('bank.points_sweep').set({ swept_captures: sweptUntil }).execute()
}

export const sweepCapturesJob = defineRecurringJob({
  name: 'card_scheme.sweep_captures',
  everyMinutes: 1,
  byDate: true,
  isDue: someCaptured,
  work: sweepCaptures,
})
