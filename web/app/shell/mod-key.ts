/** The key that shortcuts are pressed with on this device, as its keyboard has it. */
export const MOD_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
