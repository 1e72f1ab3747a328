import { useQuery } from '@tanstack/react-query'
import type { KycDocument } from '#contract/kyc.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { documentQuery } from '#web/kyc/queries.ts'
import { NoPreview, BlobImage } from '#web/ui/blob-image.tsx'

type DocumentPreviewProps = {
  document: Pick<KycDocument, 'type'>
  /** The address of the document's image. */
  path: string
  className?: string
  /** Replaces `className` for a PDF, whose pages form a tall picture. */
  tallClassName?: string
}

/** Shows an image of a document. The pages of a PDF are below each other. */
export function DocumentPreview({ document, path, className, tallClassName }: DocumentPreviewProps) {
  const { data, isError } = useQuery(documentQuery(path))
  if (isError) return <NoPreview className={className} />
  return (
    <BlobImage blob={data} alt={documentTypeText(document.type)} className={className} tallClassName={tallClassName} />
  )
}
