import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { useTimeout } from '#web/lib/timeout.ts'
import { copyText } from '#web/lib/share.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

/** The time for which the check mark is shown after copying, in milliseconds. */
const CHECK_SHOWN_MS = 2000

/**
 * Returns a function that copies `text`, and whether `text` was just copied. `copyText` shows a toast. The button also shows a
 * check mark for a moment.
 */
function useCopied(text: string, message: string) {
  const [copied, setCopied] = useState(false)
  const schedule = useTimeout()
  async function copy(): Promise<void> {
    if (!(await copyText(text, message))) return
    setCopied(true)
    schedule(() => setCopied(false), CHECK_SHOWN_MS)
  }
  return { copied, copy: () => void copy() }
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
  const { copied, copy } = useCopied(text, message)
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={label}
      onClick={copy}
      className={cx(copied && '!text-success', className)}
    />
  )
}

/** A copy button with a label. */
export function CopyButton({ text, label, message, className }: CopyProps) {
  const { copied, copy } = useCopied(text, message)
  const Icon = copied ? Check : Copy
  return (
    <Button
      variant="secondary"
      icon={<Icon aria-hidden className={cx('size-5', copied && 'text-success')} strokeWidth={2} />}
      onClick={copy}
      {...(className && { className })}
    >
      {label}
    </Button>
  )
}
