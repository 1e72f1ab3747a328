import { queryOptions } from '@tanstack/react-query'
import type {
  GoalMonthlyRequest,
  GoalMoveRequest,
  GoalRequest,
  NewGoalRequest,
  RoundUpsRequest,
} from '#contract/savings.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['balance', 'change'] } as const

export const goalsQuery = queryOptions({
  queryKey: ['goals', 'list'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api.goals.$get({}, withSignal(signal))),
})

export function goalActivityQuery(id: string) {
  return queryOptions({
    queryKey: ['goals', 'activity', id],
    meta: TOUCHED,
    queryFn: ({ signal }) => unwrap(api.goals[':id'].activity.$get({ param: { id } }, withSignal(signal))),
  })
}

export function createGoal(content: NewGoalRequest, key: string) {
  return unwrap(api.goals.$post({ json: content }, withIdempotencyKey(key)))
}

export function changeGoal(id: string, content: GoalRequest) {
  return unwrap(api.goals[':id'].$put({ param: { id }, json: content }))
}

export function addToGoal(id: string, content: GoalMoveRequest, key: string) {
  return unwrap(api.goals[':id'].deposits.$post({ param: { id }, json: content }, withIdempotencyKey(key)))
}

export function withdrawFromGoal(id: string, content: GoalMoveRequest, key: string) {
  return unwrap(api.goals[':id'].withdrawals.$post({ param: { id }, json: content }, withIdempotencyKey(key)))
}

export function closeGoal(id: string, key: string) {
  return unwrap(api.goals[':id'].close.$post({ param: { id } }, withIdempotencyKey(key)))
}

export function lockGoal(id: string, lockedUntil: string) {
  return unwrap(api.goals[':id'].lock.$put({ param: { id }, json: { lockedUntil } }))
}

export function unlockGoal(id: string) {
  return unwrap(api.goals[':id'].unlock.$post({ param: { id } }))
}

export function setMonthly(id: string, content: GoalMonthlyRequest) {
  return unwrap(api.goals[':id'].monthly.$put({ param: { id }, json: content }))
}

export function stopMonthly(id: string) {
  return unwrap(api.goals[':id'].monthly.$delete({ param: { id } }))
}

export function setRoundUps(content: RoundUpsRequest) {
  return unwrap(api['round-ups'].$put({ json: content }))
}
