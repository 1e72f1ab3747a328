import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { DocumentType, KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { toast } from '#web/lib/toast.ts'
import { documentQuery, kycQuery, ownDocument, uploadDocument, uploadSpecimen } from '#web/kyc/queries.ts'
import { documentOf, rulesOf, KYC_STEP_WORDS } from '#web/kyc/steps.ts'
import { isFinalError, messageOf } from '#web/lib/api.ts'
import { checkFile } from '#web/lib/upload.ts'

/** The number of automatic retries before the customer has to retry. */
const RETRIES = 3

type UploadedFile = {
  type: DocumentType
  /** The customer's own file, or null for the bank's specimen. */
  file: Blob | null
  signal: AbortSignal
}

export type DocumentUpload = {
  /** A `broken` upload can be retried with the same file; a `refused` file cannot. */
  state: 'idle' | 'sending' | 'broken' | 'refused'
  /** The sent part of the file, 0 to 1, or null if unknown. */
  progress: number | null
  /** The file of the last upload; null if there was no upload, or if it was the bank's specimen. */
  file: Blob | null
  /** The error as text for the customer; null if there is none. */
  error: string | null
  /** Sends a file. If `file` is null, it sends the bank's specimen. */
  send: (type: DocumentType, file: Blob | null) => Promise<void>
  retry: () => Promise<void>
  cancel: () => void
}

/**
 * Returns the upload of the document of one step. The upload checks the file first, and retries with growing delays while the
 * bank is unreachable. After that, it keeps the file for a manual retry.
 */
export function useDocumentUpload(step: KycStep, onUploaded: (kyc: Kyc) => void): DocumentUpload {
  const { t } = useLingui()
  const queries = useQueryClient()
  const id = useId()
  const inFlight = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const mutation = useMutation({
    mutationFn: async ({ type, file, signal }: UploadedFile): Promise<Kyc> => {
      signal.throwIfAborted()
      if (!file) return uploadSpecimen(step, type)
      const mediaType = await checkFile(file, rulesOf(step))
      setProgress(0)
      return uploadDocument(step, type, file, { mediaType, signal, onProgress: setProgress })
    },
    retry: (failures, error) => !isFinalError(error) && !isGivenUp(error) && failures < RETRIES,
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
      // A sent picture is put into the cache, so that it need not be downloaded. The bank converts a PDF into a picture.
      if (document && file?.type.startsWith('image/'))
        queries.setQueryData(documentQuery(ownDocument(document.id)).queryKey, file)
      queries.setQueryData(kycQuery.queryKey, kyc)
      if (signal.aborted) return
      toast.success(t(KYC_STEP_WORDS[step].uploaded), { id })
      onUploaded(kyc)
    } catch (thrown) {
      if (signal.aborted) return
      toast.error(messageOf(thrown), { id })
      // The session may have ended, or the case may have changed. A new request shows which.
      void queries.invalidateQueries(kycQuery)
    }
  }

  return {
    state: isPending ? 'sending' : error === null ? 'idle' : isFinalError(error) ? 'refused' : 'broken',
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
