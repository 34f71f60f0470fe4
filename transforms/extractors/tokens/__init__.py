"""Methods that judge the sequence of words and tags: BTE, DSC, CCB, MSS."""
