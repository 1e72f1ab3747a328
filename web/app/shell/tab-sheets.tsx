import { useNavigate } from 'react-router'
import type { TabSheetProps } from '#web/app/shell/tab-sheet-props.ts'
import type { Overlay } from '#web/app/shell/shortcuts.ts'
import { navigateAfterSheets } from '#web/lib/address-sheet.ts'
import { useSheet } from '#web/ui/sheet.tsx'

const loadPay = () => import('#web/app/shell/pay-sheet.tsx')
const loadMore = () => import('#web/app/shell/more-sheet.tsx')

type TabSheetsProps = { opened: Overlay | null; onOpen: (overlay: Overlay | null) => void }

/** The sheets of the tabs Pay and More. */
export function TabSheets({ opened, onOpen }: TabSheetsProps) {
  const navigate = useNavigate()
  const onClose = () => onOpen(null)
  const pay = useSheet(loadPay, opened === 'pay', onClose)
  const more = useSheet(loadMore, opened === 'more', onClose)
  const go: TabSheetProps['go'] = (path, state) => {
    onClose()
    navigateAfterSheets(() => void navigate(path, { ...(state && { state }) }))
  }
  const linkTo: TabSheetProps['linkTo'] = (path) => ({
    to: path,
    onClick: (event) => {
      // With one of these keys, the link opens a new tab or window, so the sheet stays open.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      go(path)
    },
  })
  return (
    <>
      {pay && <pay.PaySheet open={opened === 'pay'} {...{ onClose, go, linkTo }} />}
      {more && (
        <more.MoreSheet open={opened === 'more'} {...{ onClose, go, linkTo }} onSearch={() => onOpen('palette')} />
      )}
    </>
  )
}
