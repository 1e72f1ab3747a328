import { useQuery } from '@tanstack/react-query'
import type { KycDocument } from '#contract/kyc.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { documentQuery } from '#web/kyc/queries.ts'
import { NoPreview, Picture } from '#web/ui/picture.tsx'

type DocumentPreviewProps = {
  document: Pick<KycDocument, 'type'>
  /** Where its picture is. */
  path: string
  className?: string
  /** In place of `className` for a picture much higher than wide: the pages of a PDF. */
  tallClassName?: string
}

/** A picture of a document: of a PDF, its pages one below the other. */
export function DocumentPreview({ document, path, className, tallClassName }: DocumentPreviewProps) {
  const { data, isError } = useQuery(documentQuery(path))
  if (isError) return <NoPreview className={className} />
  return (
    <Picture blob={data} alt={documentTypeText(document.type)} className={className} tallClassName={tallClassName} />
  )
}
