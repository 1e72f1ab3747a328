import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { DOCUMENT_TYPE_KEYS, type DocumentType, type KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { useDocumentUpload } from '#web/kyc/upload/document-upload.ts'
import { useFileDrop } from '#web/kyc/upload/drop.ts'
import { SelfieCamera } from '#web/kyc/upload/selfie-camera.tsx'
import { StepActions } from '#web/kyc/upload/step-actions.tsx'
import { StepPreview } from '#web/kyc/upload/step-preview.tsx'
import { documentOf, nextPending, rulesOf, KYC_STEP_WORDS, typesOf } from '#web/kyc/steps.ts'
import { TypeChoice } from '#web/kyc/upload/type-choice.tsx'
import { useTimeout } from '#web/lib/timeout.ts'
import { cx } from '#web/ui/cx.ts'
import { FileInput, type FileInputHandle } from '#web/ui/file-input.tsx'

const ADVANCE_AFTER_MS = 1000

type StepCardProps = {
  step: KycStep
  kyc: Kyc
  /** Whether this is the visible step. The other steps keep their state. */
  current: boolean
  /** Opens another step, unless the customer has gone elsewhere meanwhile. */
  onAdvance: (from: KycStep, to: KycStep) => void
  disabled: boolean
}

/** Shows a step: the type of document, the document and the ways to submit it. */
export function StepCard({ step, kyc, current, onAdvance, disabled }: StepCardProps) {
  const { t } = useLingui()
  const schedule = useTimeout()
  const document = documentOf(kyc, step)
  const [type, setType] = useState<DocumentType>(document?.type ?? typesOf(step)[0] ?? DOCUMENT_TYPE_KEYS[0])
  const upload = useDocumentUpload(step, (response) => {
    const next = nextPending(response, step)
    if (next) schedule(() => onAdvance(step, next), ADVANCE_AFTER_MS)
  })
  const [cameraOpen, setCameraOpen] = useState(false)
  const files = useRef<FileInputHandle>(null)
  const busy = upload.state === 'sending'
  const choose = (file: Blob): void => void upload.send(type, file)
  const { dragging, target } = useFileDrop(choose, !busy && !disabled)
  const heading = useHeadingFocus(current)
  const accept = rulesOf(step).media.join(',')

  return (
    <section
      {...target}
      hidden={!current}
      aria-labelledby={`step-${step}`}
      className={cx(
        'rounded-card border bg-surface p-5 shadow-card transition-colors',
        dragging ? 'border-primary ring-2 ring-primary' : 'border-line',
      )}
    >
      <div className="text-center">
        <h2
          id={`step-${step}`}
          ref={heading}
          tabIndex={-1}
          className="text-xl font-semibold tracking-tight outline-none"
        >
          {t(KYC_STEP_WORDS[step].title)}
        </h2>
        <p className="mt-1 text-[0.9375rem] text-pretty text-ink-soft">{t(KYC_STEP_WORDS[step].description)}</p>
      </div>
      <StepPreview step={step} document={document} upload={upload} dragging={dragging} />
      {!busy && <TypeChoice step={step} value={type} onChange={setType} />}
      <StepActions
        step={step}
        uploaded={document !== undefined}
        specimens={kyc.specimens}
        upload={upload}
        disabled={disabled}
        onSpecimen={() => void upload.send(type, null)}
        onFile={() => files.current?.open()}
        onCamera={() => setCameraOpen(true)}
      />
      <FileInput ref={files} label={t(KYC_STEP_WORDS[step].file)} accept={accept} onChoose={choose} />
      {step === 'selfie' && <SelfieCamera open={cameraOpen} onOpenChange={setCameraOpen} onUse={choose} />}
    </section>
  )
}

/** Moves the focus to the heading of a new step, because the focused element disappears with the previous step. */
function useHeadingFocus(current: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wasCurrent = useRef(current)
  useEffect(() => {
    if (current && !wasCurrent.current) heading.current?.focus()
    wasCurrent.current = current
  }, [current])
  return heading
}
