import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Camera, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TransactionDetail } from '#contract/accounts.ts'
import { DOCUMENT_MEDIA, MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { photoQuery, removePhoto, transactionQuery, uploadPhoto, useBusinessNow } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { messageOf } from '#web/lib/api.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { toast } from '#web/lib/toast.ts'
import { checkFile } from '#web/lib/upload.ts'
import { Button } from '#web/ui/button.tsx'
import { FileInput, type FileInputHandle } from '#web/ui/file-input.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NoPreview, BlobImage } from '#web/ui/blob-image.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { ButtonRow, Row } from '#web/ui/row.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

type TransactionView = { transaction: TransactionDetail }

/** Returns the upload of a receipt's photo. One upload runs at a time, and leaving the screen cancels it. */
function useUpload({ id }: TransactionDetail) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const inFlight = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState(0)
  useEffect(() => () => inFlight.current?.abort(), [])
  const { mutate, isPending } = useMutation({
    mutationFn: async (file: Blob) => {
      const { signal } = (inFlight.current = new AbortController())
      setProgress(0)
      const mediaType = await checkFile(file, { media: DOCUMENT_MEDIA, maxBytes: MAX_DOCUMENT_BYTES })
      await uploadPhoto(id, file, { mediaType, signal, onProgress: setProgress })
    },
    onSuccess: () => toast.success(t`Receipt saved`),
    onError: (error) => {
      if (!inFlight.current?.signal.aborted) toast.error(messageOf(error))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: transactionQuery(id).queryKey }),
  })
  return { send: mutate, isSending: isPending, progress, cancel: () => inFlight.current?.abort() }
}

/** Adds, shows, replaces and removes the photo of a receipt. */
export function ReceiptPhoto({ transaction }: TransactionView) {
  const { t } = useLingui()
  const upload = useUpload(transaction)
  const input = useRef<FileInputHandle>(null)
  const [open, setOpen] = useState(false)
  const { photo } = transaction
  const choose = () => input.current?.open()
  return (
    <>
      <FileInput
        ref={input}
        label={t`A photo or PDF of the receipt`}
        accept={DOCUMENT_MEDIA.join()}
        onChoose={upload.send}
      />
      {upload.isSending ? (
        <Sending progress={upload.progress} onCancel={upload.cancel} />
      ) : photo ? (
        <SavedPhoto transaction={transaction} photo={photo} onOpen={() => setOpen(true)} />
      ) : (
        <ButtonRow
          icon={Camera}
          title={t`Add a Receipt`}
          description={t`A photo or PDF, up to 10 MB. Only you can see it.`}
          onClick={choose}
        />
      )}
      <Sheet
        open={open && photo !== null}
        onOpenChange={setOpen}
        title={t`Receipt`}
        description={t`The receipt you keep with this payment`}
        footer={
          <div className="flex flex-wrap gap-2.5">
            <Remove transaction={transaction} onDone={() => setOpen(false)} />
            <Button
              className="flex-1 !px-3"
              onClick={() => {
                setOpen(false)
                choose()
              }}
            >
              <Trans comment="Replaces a picture with another one">Replace</Trans>
            </Button>
          </div>
        }
      >
        {photo && <FullPhoto id={transaction.id} photoId={photo.id} />}
      </Sheet>
    </>
  )
}

function Sending({ progress, onCancel }: { progress: number; onCancel: () => void }) {
  const { t } = useLingui()
  return (
    <Row
      icon={Camera}
      title={t`Uploading the receipt…`}
      description={
        <span className="mt-1.5 block">
          <Progress label={t`Uploading the receipt…`} percent={progress * 100} />
        </span>
      }
      trailing={
        <IconButton
          icon={X}
          label={t({ message: 'Cancel', comment: 'Stops an upload' })}
          className="-me-2"
          onClick={onCancel}
        />
      }
    />
  )
}

type SavedPhotoProps = TransactionView & { photo: NonNullable<TransactionDetail['photo']>; onOpen: () => void }

function SavedPhoto({ transaction, photo, onOpen }: SavedPhotoProps) {
  const { t } = useLingui()
  const { data, isError } = useQuery(photoQuery(transaction.id, photo.id))
  const day = shortDay(photo.addedAt, useBusinessNow())
  const thumbnail = 'h-11 !w-11 overflow-hidden rounded-control !object-cover'
  return (
    <ButtonRow
      icon={Camera}
      title={t`Receipt`}
      description={t({ message: `Added ${day}`, comment: 'The subject is a picture. {day} is a date' })}
      opens
      onClick={onOpen}
      trailing={
        !isError && (
          <span aria-hidden className="shrink-0">
            <BlobImage blob={data} alt="" className={thumbnail} tallClassName={thumbnail} />
          </span>
        )
      }
    />
  )
}

function FullPhoto({ id, photoId }: { id: string; photoId: string }) {
  const { t } = useLingui()
  const { data, isError } = useQuery(photoQuery(id, photoId))
  if (isError) return <NoPreview className="min-h-60 rounded-card" />
  return <BlobImage blob={data} alt={t`Receipt`} className="min-h-60 rounded-card" />
}

function Remove({ transaction, onDone }: TransactionView & { onDone: () => void }) {
  const { t } = useLingui()
  const queries = useQueryClient()
  const { submit, busy } = useSubmission({
    send: (id: string) => removePhoto(id),
    loading: () => t`Removing the receipt…`,
    success: () => ({ message: t`Receipt removed` }),
  })
  const remove = async () => {
    if ((await submit(transaction.id)) === null) return
    queries.setQueryData(transactionQuery(transaction.id).queryKey, (detail) =>
      detail ? { ...detail, photo: null } : detail,
    )
    onDone()
  }
  return (
    <Button variant="secondary" className="flex-1 !px-3 !text-danger" busy={busy} onClick={() => void remove()}>
      <Trans comment="Removes the picture of a receipt">Remove</Trans>
    </Button>
  )
}
