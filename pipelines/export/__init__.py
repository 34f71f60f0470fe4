"""`cedar export`: a data set for training, of chosen columns and files of a size."""
