"""The bytes of a page, once for all families of methods: tags, names, entities, text."""
