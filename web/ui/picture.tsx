import { Trans } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import { useCallback, useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type PictureProps = {
  blob: Blob | null | undefined
  alt: string
  className?: string | undefined
  tallClassName?: string | undefined
}

/** Higher than this many times its width, a picture is more than one page. */
const TALL = 1.6

/** Shows an image from memory; its address ends with it. What is no image after all is said to have no preview. */
export function Picture({ blob, alt, className, tallClassName }: PictureProps) {
  const [tall, setTall] = useState(false)
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
  if (blob === unreadable) return <NoPreview className={className} />
  return (
    <img
      ref={show}
      alt={alt}
      onLoad={({ currentTarget: { naturalHeight, naturalWidth } }) => setTall(naturalHeight > TALL * naturalWidth)}
      onError={() => setUnreadable(blob)}
      className={cx('w-full', tall && tallClassName ? tallClassName : cx('object-contain', className))}
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
