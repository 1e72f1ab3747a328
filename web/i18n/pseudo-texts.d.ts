declare module 'virtual:pseudo-texts' {
  export const messages: import('#locales/catalog.ts').Messages
}
