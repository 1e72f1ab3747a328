import { useLingui } from '@lingui/react/macro'
import { X, ZoomIn, ZoomOut } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import type { KycDocument } from '#contract/kyc.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { DocumentPreview } from '#web/kyc/document-preview.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useSheetEntry } from '#web/ui/sheet-entry.ts'

type DocumentViewerProps = {
  document: Pick<KycDocument, 'type'>
  path: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Shows an image of a document over the whole window. The image fits the window, or is twice as large and can be scrolled. */
export function DocumentViewer({ document, path, open, onOpenChange }: DocumentViewerProps) {
  const { t } = useLingui()
  const [large, setLarge] = useState(false)
  useSheetEntry(open, () => onOpenChange(false))
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Content
          className="fixed inset-0 z-50 flex flex-col bg-canvas outline-none"
          aria-describedby={undefined}
        >
          <div className="flex items-center gap-1 ps-5 pe-2.5 pt-[max(0.5rem,env(safe-area-inset-top))] pb-1">
            <Dialog.Title className="flex-1 truncate text-lg font-semibold tracking-tight">
              {documentTypeText(document.type)}
            </Dialog.Title>
            <IconButton
              icon={large ? ZoomOut : ZoomIn}
              label={
                large
                  ? t({ message: 'Smaller', context: 'shows a picture smaller' })
                  : t({ message: 'Larger', context: 'shows a picture larger' })
              }
              onClick={() => setLarge(!large)}
            />
            <Dialog.Close asChild>
              <IconButton icon={X} label={t`Close`} />
            </Dialog.Close>
          </div>
          <div
            role="region"
            aria-label={t`Document`}
            // The tab index lets keyboard users scroll the image with the arrow keys.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className="min-h-0 flex-1 overflow-auto -outline-offset-2"
          >
            <DocumentPreview
              document={document}
              path={path}
              className={cx(large ? 'h-[200%] w-[200%] max-w-none' : 'h-full')}
              tallClassName={cx(large ? 'w-[200%] max-w-none' : 'mx-auto max-w-4xl')}
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
