import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { claim, claimResponse, contactList, sendRequest, sendResponse } from '#contract/payments.ts'
import { get, post } from '#web/lib/client.ts'

export const contactsQuery = queryOptions({
  queryKey: ['contacts'],
  queryFn: ({ signal }) => get('/contacts', contactList, signal),
})

export function sendMoney(content: z.input<typeof sendRequest>, key: string) {
  return post('/transfers', content, key, sendResponse)
}

export function cancelTransfer(id: string, key: string) {
  return post(`/transfers/${encodeURIComponent(id)}/cancel`, {}, key, sendResponse)
}

export function claimQuery(token: string) {
  return queryOptions({
    queryKey: ['claim', token],
    queryFn: ({ signal }) => get(`/claims/${encodeURIComponent(token)}`, claim, signal),
  })
}

export function acceptClaim(token: string, key: string) {
  return post(`/claims/${encodeURIComponent(token)}`, {}, key, claimResponse)
}
