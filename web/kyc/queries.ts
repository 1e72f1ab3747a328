import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { DocumentType, KycStep } from '#contract/documents.ts'
import type { decisionRequest, Kyc } from '#contract/kyc.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { fetchFile } from '#web/lib/fetch-file.ts'
import { upload } from '#web/lib/upload.ts'

const API = '/api/v1'

export type DecisionRequest = z.infer<typeof decisionRequest>

export const kycQuery = queryOptions({
  queryKey: ['kyc'],
  meta: { touchedBy: ['notification'] },
  queryFn: ({ signal }) => unwrap(api.kyc.$get({}, withSignal(signal))),
})

export const submitKyc = (key: string) => unwrap(api.kyc.submission.$post({ json: {} }, withIdempotencyKey(key)))

/** Has the mail sent again with which one's own email is confirmed. */
export const askForConfirmationLink = () => api['email-confirmation-links'].$post()

export function uploadSpecimen(step: KycStep, type: DocumentType) {
  return unwrap(api.kyc.specimens[':step'].$post({ param: { step }, json: { type } }))
}

type Sending = Parameters<typeof upload>[2]

export async function uploadDocument(step: KycStep, type: DocumentType, file: Blob, sending: Sending): Promise<Kyc> {
  return (await upload(`${API}/kyc/steps/${step}/document?${new URLSearchParams({ type })}`, file, sending)) as Kyc
}

/** Where a document of the customer's own is. */
export const ownDocument = (id: string): string => `${API}/kyc/documents/${encodeURIComponent(id)}`

/** Where a document of a case is, for its reviewer. */
export const caseDocument = (caseId: string, id: string): string =>
  `${API}/review/cases/${encodeURIComponent(caseId)}/documents/${encodeURIComponent(id)}`

/** A document's file. It is asked for once: another upload is another document, and each look at one is written down. */
export const documentQuery = (path: string) =>
  queryOptions({
    queryKey: ['document', path],
    queryFn: ({ signal }) => fetchFile(path, signal),
    staleTime: 'static',
  })

/** Asked for by a person, never by a clock: a screen that asks by itself would keep an unused session alive. */
export const queueQuery = queryOptions({
  queryKey: ['review', 'queue'],
  queryFn: ({ signal }) => unwrap(api.review.cases.$get({}, withSignal(signal))),
})

export function caseQuery(id: string) {
  return queryOptions({
    queryKey: ['review', 'case', id],
    queryFn: ({ signal }) => unwrap(api.review.cases[':id'].$get({ param: { id } }, withSignal(signal))),
  })
}

export function decide(id: string, decision: DecisionRequest, key: string) {
  return unwrap(api.review.cases[':id'].decisions.$post({ param: { id }, json: decision }, withIdempotencyKey(key)))
}

/** Opens a case to this session; the bank asks for a second factor first. */
export function unlockCase(id: string) {
  return unwrap(api.review.cases[':id'].unlock.$post({ param: { id } }))
}

/** What was done in a case. */
export function historyQuery(id: string) {
  return queryOptions({
    queryKey: ['review', 'history', id],
    queryFn: ({ signal }) => unwrap(api.review.cases[':id'].history.$get({ param: { id } }, withSignal(signal))),
  })
}
