import { Trans } from '@lingui/react/macro'
import { Camera, FolderOpen, RefreshCw, Upload, X } from 'lucide-react'
import type { KycStep } from '#contract/documents.ts'
import type { DocumentUpload } from '#web/kyc/upload/document-upload.ts'
import { Button } from '#web/ui/button.tsx'

type StepActionsProps = {
  step: KycStep
  uploaded: boolean
  specimens: boolean
  upload: Pick<DocumentUpload, 'state' | 'file' | 'retry' | 'cancel'>
  disabled: boolean
  onSpecimen: () => void
  onFile: () => void
  onCamera: () => void
}

const icon = (Icon: typeof Upload) => <Icon aria-hidden className="size-5" strokeWidth={2} />

/** Shows the actions of a step: submit a document in several ways, retry or cancel. */
export function StepActions(props: StepActionsProps) {
  const { step, uploaded, specimens, upload, disabled, onSpecimen, onFile, onCamera } = props
  if (upload.state === 'sending' && upload.file) {
    return (
      <Button variant="secondary" className="w-full" icon={icon(X)} onClick={upload.cancel}>
        <Trans>Cancel</Trans>
      </Button>
    )
  }
  const isBroken = upload.state === 'broken'
  return (
    <div className="mt-5 flex flex-col gap-2">
      {isBroken && (
        <Button icon={icon(RefreshCw)} onClick={() => void upload.retry()}>
          <Trans>Try Again</Trans>
        </Button>
      )}
      <Button
        variant={isBroken || uploaded ? 'secondary' : 'primary'}
        busy={upload.state === 'sending'}
        disabled={disabled}
        icon={icon(Upload)}
        onClick={specimens ? onSpecimen : onFile}
      >
        <Trans comment="A button that uploads a document">Upload Document</Trans>
      </Button>
      <div className="flex flex-wrap justify-center gap-x-1">
        {specimens && (
          <Button variant="quiet" size="small" icon={icon(FolderOpen)} disabled={disabled} onClick={onFile}>
            <Trans>Choose a File</Trans>
          </Button>
        )}
        {step === 'selfie' && (
          <Button variant="quiet" size="small" icon={icon(Camera)} disabled={disabled} onClick={onCamera}>
            <Trans>Use Camera</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
