import { useLingui } from '@lingui/react/macro'
import { SendHorizontal } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { MAX_QUESTION } from '#contract/advisor-terms.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { cx } from '#web/ui/cx.ts'
import { boxLook } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

type ComposerProps = {
  text: string
  onText: (text: string) => void
  onSend: () => void
  busy: boolean
  field: RefObject<HTMLTextAreaElement | null>
}

/** Shows the field for a question. Enter or the button sends it. */
export function Composer({ text, onText, onSend, busy, field }: ComposerProps) {
  const { t } = useLingui()
  const isUp = useIsConnected()
  function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // During text composition, as in Japanese, Enter chooses a candidate and must not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (isUp) onSend()
  }
  const label = t`Ask about your money`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      <div className={cx('flex items-end gap-1 rounded-[1.75rem] p-1', boxLook(false))}>
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          maxLength={MAX_QUESTION}
          enterKeyHint="send"
          aria-label={label}
          placeholder={label}
          aria-describedby={isUp ? undefined : 'advisor-offline'}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={sendByKey}
          className="field-sizing-content max-h-40 min-h-11 w-full min-w-0 resize-none bg-transparent px-3.5 py-2.5 text-base outline-none [overflow-wrap:anywhere]"
        />
        <button
          type="submit"
          aria-label={t({ message: 'Send', context: 'message' })}
          data-tip
          disabled={!isUp}
          aria-busy={busy || undefined}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-primary text-on-primary transition-colors hover:bg-primary-strong disabled:cursor-not-allowed disabled:opacity-55"
        >
          {busy ? <Spinner /> : <SendHorizontal aria-hidden className="size-5 rtl:-scale-x-100" strokeWidth={2} />}
        </button>
      </div>
      {!isUp && (
        <p id="advisor-offline" className="mt-2 px-2 text-sm text-ink-soft">
          {t`You can ask again once you're back online.`}
        </p>
      )}
    </form>
  )
}
