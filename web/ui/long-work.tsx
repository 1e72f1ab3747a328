import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Progress } from '#web/ui/progress.tsx'

type LongWorkProps = {
  /** The name of the task. */
  label: string
  /** The fraction that is done, 0 to 1; null if it is unknown. */
  fraction: number | null
  /** The progress as text. */
  text: string
  onCancel: () => void
  className?: string
}

/** The progress of a long task, with a cancel button (web/lib/long-work.ts). */
export function LongWork({ label, fraction, text, onCancel, className }: LongWorkProps) {
  const { t } = useLingui()
  const spokenText = useNowAndThen(text)
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
        {spokenText}
      </p>
    </div>
  )
}

/** The interval of progress announcements for screen readers. */
const SPOKEN_MS = 5_000

/** Returns the text, updated only every few seconds. */
function useNowAndThen(text: string): string {
  const [spokenText, setSpoken] = useState(text)
  const speak = useEffectEvent(() => setSpoken(text))
  useEffect(() => {
    const timer = setInterval(() => speak(), SPOKEN_MS)
    return () => clearInterval(timer)
  }, [])
  return spokenText
}
