import { Trans } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type BlobImageProps = {
  blob: Blob | null | undefined
  alt: string
  className?: string | undefined
  /** Replaces `className` for a tall image. */
  tallClassName?: string | undefined
}

/**
 * An image is tall if its height is more than this multiple of its width. Such an image usually shows several pages: an A4 page
 * has a ratio of 1.41.
 */
const TALL_RATIO = 1.6

/**
 * Shows an image from memory and releases its object URL afterwards. If the data is not an image, shows the text "No preview"
 * instead.
 */
export function BlobImage({ blob, alt, className, tallClassName }: BlobImageProps) {
  const [isTall, setIsTall] = useState(false)
  const [unreadableBlob, setUnreadableBlob] = useState<Blob | null>(null)
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
  if (blob === unreadableBlob) return <NoPreview className={className} />
  return (
    <img
      ref={show}
      alt={alt}
      onLoad={({ currentTarget: { naturalHeight, naturalWidth } }) =>
        setIsTall(naturalHeight > TALL_RATIO * naturalWidth)
      }
      onError={() => setUnreadableBlob(blob)}
      className={cx('w-full', isTall && tallClassName ? tallClassName : cx('object-contain', className))}
    />
  )
}

export function NoPreview({ className }: { className?: string | undefined }) {
  return (
    <div
      className={cx('grid w-full place-content-center justify-items-center gap-1.5 bg-muted text-ink-soft', className)}
    >
      <ImageOff aria-hidden className="size-7" />
      <span className="text-sm font-medium">
        <Trans>No preview</Trans>
      </span>
    </div>
  )
}
