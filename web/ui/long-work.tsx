import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Progress } from '#web/ui/progress.tsx'

type LongWorkProps = {
  /** What is being done. */
  label: string
  /** How much of it is done, 0 to 1; null where nobody can tell. */
  fraction: number | null
  /** How far it is, in words. */
  text: string
  onCancel: () => void
  className?: string
}

/** How far something is that takes long, and a way to stop it (web/lib/long-work.ts). */
export function LongWork({ label, fraction, text, onCancel, className }: LongWorkProps) {
  const { t } = useLingui()
  const spoken = useNowAndThen(text)
  return (
    <div className={className}>
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <Progress label={label} percent={fraction === null ? null : fraction * 100} text={text} />
          <p aria-hidden className="tabular mt-2 text-sm text-pretty text-ink-soft">
            {text}
          </p>
        </div>
        <IconButton
          icon={X}
          label={t({ message: 'Cancel', comment: 'Stops a download or an import' })}
          className="-me-2.5 shrink-0"
          onClick={onCancel}
        />
      </div>
      <p role="status" className="sr-only">
        {spoken}
      </p>
    </div>
  )
}

/** So often a person who listens is told how far it is. */
const SPOKEN_MS = 5_000

/** The text as it is at first, and from then on every few seconds. */
function useNowAndThen(text: string): string {
  const [spoken, setSpoken] = useState(text)
  const speak = useEffectEvent(() => setSpoken(text))
  useEffect(() => {
    const timer = setInterval(() => speak(), SPOKEN_MS)
    return () => clearInterval(timer)
  }, [])
  return spoken
}
