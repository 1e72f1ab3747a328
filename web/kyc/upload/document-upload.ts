import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { DocumentType, KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { toast } from '#web/lib/toast.ts'
import { documentQuery, kycQuery, ownDocument, uploadDocument, uploadSpecimen } from '#web/kyc/queries.ts'
import { documentOf, rulesOf, STEPS } from '#web/kyc/steps.ts'
import { isFinal, messageOf } from '#web/lib/api.ts'
import { checkFile } from '#web/lib/upload.ts'

/** How often a broken upload is tried again before a person is asked to. */
const RETRIES = 3

type Sent = {
  type: DocumentType
  /** A file of the person's own, or null for the bank's specimen. */
  file: Blob | null
  signal: AbortSignal
}

export type DocumentUpload = {
  /** `broken` may be tried again with the same file; a `refused` file may not. */
  state: 'idle' | 'sending' | 'broken' | 'refused'
  /** How much of the file has gone out, 0 to 1; null where that is not known. */
  progress: number | null
  /** What is being sent, or was and did not arrive. */
  file: Blob | null
  /** What went wrong, for a person. */
  error: string | null
  /** Sends a file, or the specimen where it is null. */
  send: (type: DocumentType, file: Blob | null) => Promise<void>
  retry: () => Promise<void>
  cancel: () => void
}

/**
 * One step's way to the bank: a look at the file before any of it is sent, then tries with growing pauses while the
 * bank cannot be reached, then the file kept for another try by hand.
 */
export function useDocumentUpload(step: KycStep, onUploaded: (kyc: Kyc) => void): DocumentUpload {
  const { t } = useLingui()
  const queries = useQueryClient()
  const id = useId()
  const inFlight = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const mutation = useMutation({
    mutationFn: async ({ type, file, signal }: Sent): Promise<Kyc> => {
      signal.throwIfAborted()
      if (!file) return uploadSpecimen(step, type)
      const mediaType = await checkFile(file, rulesOf(step))
      setProgress(0)
      return uploadDocument(step, type, file, { mediaType, signal, onProgress: setProgress })
    },
    retry: (failures, error) => !isFinal(error) && !isGivenUp(error) && failures < RETRIES,
  })
  const { isPending, failureCount, error, variables } = mutation

  useEffect(() => () => inFlight.current?.abort(), [])
  useEffect(() => {
    if (isPending && failureCount > 0) toast.loading(t`Still trying…`, { id })
  }, [t, id, isPending, failureCount])

  async function send(type: DocumentType, file: Blob | null): Promise<void> {
    inFlight.current?.abort()
    const { signal } = (inFlight.current = new AbortController())
    setProgress(null)
    try {
      const kyc = await mutation.mutateAsync({ type, file, signal })
      const document = documentOf(kyc, step)
      // A picture that was just sent can be shown without fetching it. Of a PDF the bank makes one.
      if (document && file?.type.startsWith('image/'))
        queries.setQueryData(documentQuery(ownDocument(document.id)).queryKey, file)
      queries.setQueryData(kycQuery.queryKey, kyc)
      if (signal.aborted) return
      toast.success(t(STEPS[step].uploaded), { id })
      onUploaded(kyc)
    } catch (thrown) {
      if (signal.aborted) return
      toast.error(messageOf(thrown), { id })
      // The session may have ended, or the case have moved on: asking the bank finds out.
      void queries.invalidateQueries(kycQuery)
    }
  }

  return {
    state: isPending ? 'sending' : error === null ? 'idle' : isFinal(error) ? 'refused' : 'broken',
    progress,
    file: variables?.file ?? null,
    error: error && messageOf(error),
    send,
    retry: async () => variables && send(variables.type, variables.file),
    cancel: () => {
      inFlight.current?.abort()
      mutation.reset()
      toast.dismiss(id)
    },
  }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
