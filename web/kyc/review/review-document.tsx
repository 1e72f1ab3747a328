import { Trans, useLingui } from '@lingui/react/macro'
import { FileX2, Maximize2 } from 'lucide-react'
import { useState } from 'react'
import type { KycStep } from '#contract/documents.ts'
import type { KycDocument } from '#contract/kyc.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { DocumentPreview } from '#web/kyc/document-preview.tsx'
import { caseDocument } from '#web/kyc/queries.ts'
import { KYC_STEP_WORDS } from '#web/kyc/steps.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { useLazyWhenOpen } from '#web/lib/lazy.ts'
import { Card } from '#web/ui/screen.tsx'

const loadViewer = () => import('#web/kyc/review/document-viewer.tsx')

type ReviewDocumentProps = { step: KycStep; caseId: string; document: KycDocument | undefined }

/** Shows a document of a case as an image that can be enlarged. */
export function ReviewDocument({ step, caseId, document }: ReviewDocumentProps) {
  const { t } = useLingui()
  return (
    <Card className="flex flex-col">
      {document ? (
        <Image document={document} path={caseDocument(caseId, document.id)} />
      ) : (
        <div className="grid h-48 place-content-center justify-items-center gap-2 bg-muted text-ink-soft">
          <FileX2 aria-hidden className="size-7" strokeWidth={1.7} />
          <span className="text-sm font-medium">
            <Trans context="a document that was not handed in">Missing</Trans>
          </span>
        </div>
      )}
      <div className="px-4 py-3">
        <h3 className="font-medium">{document ? documentTypeText(document.type) : t(KYC_STEP_WORDS[step].title)}</h3>
        {document && <p className="tabular text-sm text-ink-soft">{dateAndTime(document.uploadedAt)}</p>}
      </div>
    </Card>
  )
}

function Image({ document, path }: { document: KycDocument; path: string }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const viewer = useLazyWhenOpen(loadViewer, open, () => setOpen(false))
  const documentType = documentTypeText(document.type)
  return (
    <>
      <button
        type="button"
        aria-label={t({
          message: `Enlarge ${documentType}`,
          comment: 'Enlarges the picture of a document. {documentType} is a kind of document, such as Passport',
        })}
        onClick={() => setOpen(true)}
        className="group relative block bg-muted -outline-offset-2"
      >
        <DocumentPreview
          document={document}
          path={path}
          className="h-48"
          tallClassName="h-48 object-cover object-top"
        />
        <span
          aria-hidden
          className="absolute end-3 top-3 grid size-9 place-items-center rounded-full bg-surface/90 text-ink shadow-card transition-transform group-hover:scale-105"
        >
          <Maximize2 className="size-4.5" strokeWidth={2} />
        </span>
      </button>
      {viewer && <viewer.DocumentViewer document={document} path={path} open={open} onOpenChange={setOpen} />}
    </>
  )
}
