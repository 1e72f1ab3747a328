import { useMutation } from '@tanstack/react-query'
import { Download, FileText, FileX2, Maximize2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import type { KycDocument, KycStep } from '#contract/kyc.ts'
import { DocumentPreview } from '#web/kyc/document-preview.tsx'
import { DocumentViewer } from '#web/kyc/review/document-viewer.tsx'
import { caseDocument } from '#web/kyc/queries.ts'
import { STEPS, typeLabel } from '#web/kyc/steps.ts'
import { messageOf } from '#web/lib/api.ts'
import { dateAndTime } from '#web/lib/dates.ts'
import { download } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type ReviewDocumentProps = { step: KycStep; caseId: string; document: KycDocument | undefined }

/** One document of a case: a picture to open large, or a PDF to keep and open outside of this page. */
export function ReviewDocument({ step, caseId, document }: ReviewDocumentProps) {
  return (
    <Card className="flex flex-col">
      {document ? (
        <Shown document={document} path={caseDocument(caseId, document.id)} />
      ) : (
        <div className="grid h-48 place-content-center justify-items-center gap-2 bg-muted text-ink-soft">
          <FileX2 aria-hidden className="size-7" strokeWidth={1.7} />
          <span className="text-sm font-medium">Missing</span>
        </div>
      )}
      <div className="px-4 py-3">
        <h3 className="font-medium">{document ? typeLabel(document.type) : STEPS[step].title}</h3>
        {document && <p className="tabular text-sm text-ink-soft">{dateAndTime(document.uploadedAt)}</p>}
      </div>
    </Card>
  )
}

function Shown({ document, path }: { document: KycDocument; path: string }) {
  return document.mediaType === 'application/pdf' ? (
    <Pdf document={document} path={path} />
  ) : (
    <Image document={document} path={path} />
  )
}

function Image({ document, path }: { document: KycDocument; path: string }) {
  const [open, setOpen] = useState(false)
  const label = typeLabel(document.type)
  return (
    <>
      <button
        type="button"
        aria-label={`Open ${label} large`}
        onClick={() => setOpen(true)}
        className="group relative block bg-muted -outline-offset-2"
      >
        <DocumentPreview document={document} path={path} className="h-48" />
        <span
          aria-hidden
          className="absolute end-3 top-3 grid size-9 place-items-center rounded-full bg-surface/90 text-ink shadow-card transition-transform group-hover:scale-105"
        >
          <Maximize2 className="size-4.5" strokeWidth={2} />
        </span>
      </button>
      <DocumentViewer document={document} path={path} open={open} onOpenChange={setOpen} />
    </>
  )
}

/** Never opened inside the page, where whatever a PDF carries would be close to a reviewer's session. */
function Pdf({ document, path }: { document: KycDocument; path: string }) {
  const keep = useMutation({
    mutationFn: () => download(path, `${document.type}-${document.id}.pdf`),
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <div className="grid h-48 place-content-center justify-items-center gap-3 bg-muted">
      <FileText aria-hidden className="size-8 text-ink-soft" strokeWidth={1.6} />
      <Button
        size="small"
        busy={keep.isPending}
        icon={<Download aria-hidden className="size-4.5" strokeWidth={2} />}
        onClick={() => keep.mutate()}
      >
        Download PDF
      </Button>
    </div>
  )
}
