import { Trans, useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck, FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { KycStep } from '#contract/documents.ts'
import type { KycDocument } from '#contract/kyc.ts'
import { percentage } from '#web/i18n/formats.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { DocumentPreview } from '#web/kyc/document-preview.tsx'
import type { DocumentUpload } from '#web/kyc/upload/document-upload.ts'
import { ownDocument } from '#web/kyc/queries.ts'
import { KYC_STEP_WORDS } from '#web/kyc/steps.ts'
import { cx } from '#web/ui/cx.ts'
import { BlobImage } from '#web/ui/blob-image.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Rings } from '#web/ui/rings.tsx'

type StepPreviewProps = {
  step: KycStep
  document: KycDocument | undefined
  upload: Pick<DocumentUpload, 'state' | 'progress' | 'file' | 'error'>
  dragging: boolean
}

export function StepPreview({ step, document, upload, dragging }: StepPreviewProps) {
  const { state, file, error } = upload
  return (
    <div className="my-5">
      <div
        className={cx(
          'relative isolate grid min-h-44 place-items-center overflow-hidden rounded-control',
          dragging || (!document && !file) ? 'border-2 border-dashed bg-canvas/60' : 'border border-line bg-muted',
          dragging ? 'border-primary' : 'border-line',
        )}
      >
        {file && state !== 'idle' ? (
          <Local file={file} />
        ) : document ? (
          <DocumentPreview
            document={document}
            path={ownDocument(document.id)}
            className="h-44"
            tallClassName="h-44 object-cover object-top"
          />
        ) : (
          <DocumentTip step={step} dragging={dragging} />
        )}
      </div>
      <UploadStatus state={state} progress={upload.progress} error={error} document={document} />
    </div>
  )
}

function DocumentTip({ step, dragging }: { step: KycStep; dragging: boolean }) {
  const { t } = useLingui()
  const { icon: Icon, tip } = KYC_STEP_WORDS[step]
  return (
    <div className="flex flex-col items-center gap-3 px-5 py-4 text-center">
      <span className="relative grid size-20 place-items-center">
        <Rings className="absolute -inset-3 text-primary opacity-35" />
        <span className="relative grid size-14 place-items-center rounded-full bg-primary-subtle text-primary">
          <Icon aria-hidden className="size-7" strokeWidth={1.7} />
        </span>
      </span>
      <p className="text-sm text-pretty wrap-anywhere text-ink-soft">{dragging ? t`Drop it here` : t(tip)}</p>
    </div>
  )
}

/** Shows a file that has not been uploaded yet. */
function Local({ file }: { file: Blob }) {
  const { t } = useLingui()
  if (file.type.startsWith('image/'))
    return <BlobImage blob={file} alt={t`Preview of your file`} className="h-44 opacity-60" />
  return (
    <span className="flex max-w-full flex-col items-center gap-2 px-5 text-ink-soft">
      <FileText aria-hidden className="size-8" strokeWidth={1.6} />
      <span className="max-w-full truncate text-sm font-medium">{file instanceof File ? file.name : t`Your file`}</span>
    </span>
  )
}

type UploadStatusProps = Pick<StepPreviewProps, 'document'> & Pick<DocumentUpload, 'state' | 'progress' | 'error'>

/** Shows the state of the upload in one line, which a screen reader announces on each change. */
function UploadStatus({ state, progress, error, document }: UploadStatusProps) {
  if (state === 'sending') return <UploadProgress progress={progress} />
  if (error) {
    return (
      <Line className="font-medium text-danger" icon={<CircleAlert aria-hidden className="size-4.5 shrink-0" />} alert>
        {error}
      </Line>
    )
  }
  if (!document) return null
  const documentType = documentTypeText(document.type)
  return (
    <Line className="text-success" icon={<CircleCheck aria-hidden className="size-4.5 shrink-0" />}>
      <Trans comment="{documentType} is a kind of document, such as Passport">
        <span className="font-medium">Uploaded</span> <span className="text-ink-soft">{documentType}</span>
      </Trans>
    </Line>
  )
}

function Line({ icon, alert = false, className, children }: LineProps) {
  return (
    <p
      role={alert ? 'alert' : 'status'}
      className={cx('mt-3 flex items-center justify-center gap-2 text-sm', className)}
    >
      {icon}
      {children}
    </p>
  )
}

type LineProps = { icon: ReactNode; alert?: boolean; className: string; children: ReactNode }

function UploadProgress({ progress }: { progress: number | null }) {
  const { t } = useLingui()
  const percent = Math.round((progress ?? 0) * 100)
  const share = percentage(percent)
  return (
    <div className="mt-3">
      <Progress label={t({ message: 'Upload', context: 'a file on its way to the bank' })} percent={percent} />
      <p className="tabular mt-2 text-center text-sm text-ink-soft">
        {progress === null
          ? t({ message: 'Starting…', context: 'an upload' })
          : percent < 100
            ? t({ message: `Uploading… ${share}`, comment: '{share} is a percentage, such as 42%' })
            : t({ message: 'Checking…', context: 'a document that was uploaded' })}
      </p>
    </div>
  )
}
