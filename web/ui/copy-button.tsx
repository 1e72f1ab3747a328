import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTimeout } from '#web/lib/timeout.ts'
import { copyText } from '#web/lib/share.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

const SHOWN_MS = 2000

/**
 * Returns a function that copies `text`, and whether `text` was just copied. The control shows the success for a moment,
 * because a sheet may cover the toast.
 */
function useCopied(text: string, message: string) {
  const [copied, setCopied] = useState(false)
  const schedule = useTimeout()
  async function press(): Promise<void> {
    if (!(await copyText(text, message))) return
    setCopied(true)
    schedule(() => setCopied(false), SHOWN_MS)
  }
  return { copied, press: () => void press() }
}

type CopyProps = {
  text: string
  label: string
  /** The text of the toast. */
  message: string
  className?: string
}

/** A copy button with an icon only. */
export function CopyIconButton({ text, label, message, className }: CopyProps) {
  const { copied, press } = useCopied(text, message)
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={label}
      onClick={press}
      className={cx(copied && '!text-success', className)}
    />
  )
}

/** A copy button with a label. */
export function CopyButton({ text, label, message, className }: CopyProps) {
  const { copied, press } = useCopied(text, message)
  const Icon = copied ? Check : Copy
  return (
    <Button
      variant="secondary"
      icon={<Icon aria-hidden className={cx('size-5', copied && 'text-success')} strokeWidth={2} />}
      onClick={press}
      {...(className && { className })}
    >
      {label}
    </Button>
  )
}
