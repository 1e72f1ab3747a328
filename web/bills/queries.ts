import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { GroupBillRequest, newGroup, newMembers, SplitRequest } from '#contract/bills.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const TOUCHED = { touchedBy: ['request', 'bill'] } as const

export const billsQuery = infiniteQueryOptions({
  queryKey: ['bills', 'list'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.bills.$get({ query: pageParam === null ? {} : { cursor: pageParam } }, withSignal(signal))),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

export const groupsQuery = queryOptions({
  queryKey: ['bills', 'groups'],
  meta: { ...OFFLINE_DATED, ...TOUCHED },
  queryFn: ({ signal }) => unwrap(api['bill-groups'].$get({}, withSignal(signal))),
})

export function groupQuery(id: string) {
  return queryOptions({
    queryKey: ['bills', 'group', id],
    meta: { ...OFFLINE_DATED, ...TOUCHED },
    queryFn: ({ signal }) => unwrap(api['bill-groups'][':id'].$get({ param: { id } }, withSignal(signal))),
  })
}

export const splitBill = (content: SplitRequest, key: string) =>
  unwrap(api.bills.$post({ json: content }, withIdempotencyKey(key)))

export const cancelBill = (id: string, key: string) =>
  unwrap(api.bills[':id'].cancel.$post({ param: { id } }, withIdempotencyKey(key)))

export const createGroup = (content: z.infer<typeof newGroup>, key: string) =>
  unwrap(api['bill-groups'].$post({ json: content }, withIdempotencyKey(key)))

type InGroup<More = object> = More & { id: string }

export const inviteToGroup = ({ id, ...json }: InGroup<z.infer<typeof newMembers>>, key: string) =>
  unwrap(api['bill-groups'][':id'].members.$post({ param: { id }, json }, withIdempotencyKey(key)))

export const joinGroup = ({ id }: InGroup, key: string) =>
  unwrap(api['bill-groups'][':id'].join.$post({ param: { id } }, withIdempotencyKey(key)))

export const leaveGroup = ({ id }: InGroup, key: string) =>
  unwrap(api['bill-groups'][':id'].leave.$post({ param: { id } }, withIdempotencyKey(key)))

export const addGroupBill = ({ id, bill }: InGroup<{ bill: GroupBillRequest }>, key: string) =>
  unwrap(api['bill-groups'][':id'].bills.$post({ param: { id }, json: bill }, withIdempotencyKey(key)))

export const removeGroupBill = ({ id, billId }: InGroup<{ billId: string }>, key: string) =>
  unwrap(api['bill-groups'][':id'].bills[':billId'].remove.$post({ param: { id, billId } }, withIdempotencyKey(key)))

export const settleGroup = ({ id }: InGroup, key: string) =>
  unwrap(api['bill-groups'][':id'].settle.$post({ param: { id } }, withIdempotencyKey(key)))
