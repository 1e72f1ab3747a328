import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { DocumentType, KycStep } from '#contract/documents.ts'
import type { decisionRequest, Kyc } from '#contract/kyc.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { fetchFile } from '#web/lib/fetch-file.ts'
import { uploadFile } from '#web/lib/upload.ts'

const API = '/api/v1'

export type CaseDecisionBody = z.infer<typeof decisionRequest>

export const kycQuery = queryOptions({
  queryKey: ['kyc'],
  meta: { touchedBy: ['notification'] },
  queryFn: ({ signal }) => unwrap(api.kyc.$get({}, withSignal(signal))),
})

export const submitKyc = (key: string) => unwrap(api.kyc.submission.$post({ json: {} }, withIdempotencyKey(key)))

/** Sends the mail again that confirms the customer's own email address. */
export const askForConfirmationLink = () => api['email-confirmation-links'].$post()

export function uploadSpecimen(step: KycStep, type: DocumentType) {
  return unwrap(api.kyc.specimens[':step'].$post({ param: { step }, json: { type } }))
}

type Sending = Parameters<typeof uploadFile>[2]

export async function uploadDocument(step: KycStep, type: DocumentType, file: Blob, sending: Sending): Promise<Kyc> {
  return (await uploadFile(`${API}/kyc/steps/${step}/document?${new URLSearchParams({ type })}`, file, sending)) as Kyc
}

/** Returns the address of a document of the signed-in customer. */
export const ownDocument = (id: string): string => `${API}/kyc/documents/${encodeURIComponent(id)}`

/** Returns the address of a document in a case, for its reviewer. */
export const caseDocument = (caseId: string, id: string): string =>
  `${API}/review/cases/${encodeURIComponent(caseId)}/documents/${encodeURIComponent(id)}`

/** Loads a document's file once. A new upload has a new id, and the bank logs each view. */
export const documentQuery = (path: string) =>
  queryOptions({
    queryKey: ['document', path],
    queryFn: ({ signal }) => fetchFile(path, signal),
    staleTime: 'static',
  })

/**
 * The cases that wait for a reviewer. No timer loads them, because requests at regular intervals would keep an unused session
 * alive.
 */
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

export function decideCase(id: string, decision: CaseDecisionBody, key: string) {
  return unwrap(api.review.cases[':id'].decisions.$post({ param: { id }, json: decision }, withIdempotencyKey(key)))
}

/** Opens a case for this session. The bank requires a second factor first. */
export function unlockCase(id: string) {
  return unwrap(api.review.cases[':id'].unlock.$post({ param: { id } }))
}

/** Loads the history of a case. */
export function historyQuery(id: string) {
  return queryOptions({
    queryKey: ['review', 'history', id],
    queryFn: ({ signal }) => unwrap(api.review.cases[':id'].history.$get({ param: { id } }, withSignal(signal))),
  })
}
