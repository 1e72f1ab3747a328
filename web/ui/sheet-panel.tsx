import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useKeyboardScrolling } from '#web/ui/keyboard-scrolling.ts'
import { useSheetEntry } from '#web/ui/sheet-entry.ts'
import { DiscardQuestion, useDiscard } from '#web/ui/confirm-discard.tsx'
import { SheetEdits } from '#web/ui/sheet-edits.ts'
import type { SheetProps } from '#web/ui/sheet-props.ts'

export type SheetPanelProps = SheetProps & {
  /** The element that had the focus before. */
  opener: Element | null
}

/** Focuses a control. If the result of the sheet's action later removes that control, the screen's heading gets the focus. */
function focusUntilGone(control: HTMLElement): void {
  control.focus()
  const watch = new MutationObserver(() => {
    if (control.isConnected && document.activeElement === control) return
    watch.disconnect()
    if (document.activeElement === document.body) document.querySelector('h1')?.focus()
  })
  watch.observe(document.body, { childList: true, subtree: true })
}

/** The sheet itself: at the bottom edge on a phone, in the middle of a wide screen. */
export function SheetPanel({
  open,
  onOpenChange,
  addressed = false,
  unsaved = false,
  opener,
  ...shown
}: SheetPanelProps) {
  const { t } = useLingui()
  const scrolling = useKeyboardScrolling()
  const { title, description, children, footer } = shown
  const { isAsking, guard, reportEdits, close, keep, discard } = useDiscard({ open, onOpenChange, addressed, unsaved })
  useSheetEntry(open && !addressed, close)
  return (
    <>
      {guard}
      <Dialog.Root open={open} onOpenChange={(next) => (next ? onOpenChange(true) : close())}>
        <Dialog.Portal>
          <Dialog.Overlay className="sheet-scrim fixed inset-0 z-40 bg-scrim" />
          <div className="pointer-events-none fixed inset-0 z-50 grid grid-cols-1 items-end justify-items-center sm:items-center">
            <Dialog.Content
              // React events bubble through the component that opened the sheet, which may be in a form.
              onSubmit={(event) => event.stopPropagation()}
              // A toast in front of the sheet can be used without closing the sheet.
              onInteractOutside={(event) => {
                if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]'))
                  event.preventDefault()
              }}
              onCloseAutoFocus={(event) => {
                event.preventDefault()
                // An element that got the focus meanwhile keeps it. The element that opened the sheet may no longer exist.
                if (document.activeElement !== document.body) return
                const back = opener?.isConnected ? opener : document.querySelector('h1')
                if (back instanceof HTMLElement) focusUntilGone(back)
              }}
              className="sheet-panel pointer-events-auto flex max-h-[88dvh] w-full max-w-[26.875rem] flex-col rounded-t-[1.75rem] bg-canvas shadow-lift outline-none sm:rounded-[1.75rem]"
            >
              <div className="flex items-center justify-between gap-2 ps-5 pe-2.5 pt-3 pb-1">
                <Dialog.Title className="min-w-0 text-[min(1.125rem,8vw)] leading-snug font-semibold tracking-tight hyphens-auto">
                  {isAsking ? t`Discard changes?` : title}
                </Dialog.Title>
                <Dialog.Close asChild>
                  <IconButton
                    icon={X}
                    label={t({ message: 'Close', comment: 'Closes the sheet or dialog above the screen' })}
                  />
                </Dialog.Close>
              </div>
              <Dialog.Description className="sr-only">{description}</Dialog.Description>
              <div {...scrolling} className="overflow-y-auto overscroll-contain px-5 pt-1 pb-5 -outline-offset-2">
                <div hidden={isAsking}>
                  <SheetEdits value={reportEdits}>{children}</SheetEdits>
                </div>
                {isAsking && <DiscardQuestion onKeep={keep} onDiscard={discard} />}
              </div>
              {footer && (
                <div
                  hidden={isAsking}
                  data-footer
                  className="border-t border-line px-5 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]"
                >
                  {footer}
                </div>
              )}
            </Dialog.Content>
          </div>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  )
}
