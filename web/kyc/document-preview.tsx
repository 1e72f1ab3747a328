import { useQuery } from '@tanstack/react-query'
import { FileText, ImageOff } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import type { KycDocument } from '#contract/kyc.ts'
import { documentQuery } from '#web/kyc/queries.ts'
import { typeLabel } from '#web/kyc/steps.ts'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type DocumentPreviewProps = {
  document: Pick<KycDocument, 'type' | 'mediaType'>
  /** Where its file is. */
  path: string
  className?: string
}

/** A picture of a document; a PDF is named, because no page of ours opens somebody else's PDF. */
export function DocumentPreview({ document, path, className }: DocumentPreviewProps) {
  const isImage = document.mediaType !== 'application/pdf'
  const { data, isError } = useQuery({ ...documentQuery(path), enabled: isImage })
  const label = typeLabel(document.type)
  if (!isImage)
    return <Placeholder icon={<FileText aria-hidden className="size-7" />} className={className} text="PDF" />
  if (isError) {
    return <Placeholder icon={NO_PREVIEW} className={className} text="No preview" />
  }
  return <Picture blob={data} alt={label} className={className} />
}

type PictureProps = { blob: Blob | null | undefined; alt: string; className?: string | undefined }

const NO_PREVIEW = <ImageOff aria-hidden className="size-7" />

/** Shows an image from memory; its address ends with it. What is no image after all is said to have no preview. */
export function Picture({ blob, alt, className }: PictureProps) {
  const [unreadable, setUnreadable] = useState<Blob | null>(null)
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || !blob) return
      const url = URL.createObjectURL(blob)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [blob],
  )
  if (!blob) return <Skeleton className={cx('w-full', className)} />
  if (blob === unreadable) return <Placeholder icon={NO_PREVIEW} className={className} text="No preview" />
  return (
    <img ref={show} alt={alt} onError={() => setUnreadable(blob)} className={cx('w-full object-contain', className)} />
  )
}

type PlaceholderProps = { icon: ReactNode; text: string; className?: string | undefined }

function Placeholder({ icon, text, className }: PlaceholderProps) {
  return (
    <div
      className={cx('grid w-full place-content-center justify-items-center gap-1.5 bg-muted text-ink-soft', className)}
    >
      {icon}
      <span className="text-sm font-medium">{text}</span>
    </div>
  )
}
